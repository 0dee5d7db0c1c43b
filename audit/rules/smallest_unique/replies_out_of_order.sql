-- clause: SU-9
-- severity: error
-- The replies of the step that failed are not in the order of the seats, each once.
SELECT
    log, match, seq,
    'a seat below ' || seats || coalesce(' and above ' || seat_above, '') AS expected,
    'seat ' || seat AS found
FROM (
    SELECT *, lag(seat) OVER (PARTITION BY log ORDER BY seq) AS seat_above
    FROM smallest_unique_replies
)
JOIN (SELECT log, seats FROM smallest_unique_games) USING (log)
WHERE seat <= seat_above OR seat >= seats;
