-- clause: SU-2
-- severity: error
-- A round does not contain exactly one choice for every seat.
SELECT
    log, rounds.match, rounds.seq,
    'a choice for each of ' || seats || ' seats' AS expected, shown(choices) AS found
FROM smallest_unique_round AS rounds
JOIN (SELECT log, seats FROM smallest_unique_games) USING (log)
WHERE len(choices) <> seats;
