-- clause: SU-1
-- severity: error
-- kind: tournament
-- The entrants of a game are not the ones that the tournament's dice draw, in the order drawn.
SELECT log, match, seq, shown(due) AS expected, shown(seats) AS found
FROM (
    SELECT
        account.log, match, account.seq, account.seats,
        [keyed.entrant FOR keyed IN list_sort([
            {
                key: shuffle_key(seed, 'match/' || match || '/seats', entrant::VARCHAR),
                entrant: entrant
            }
            FOR entrant IN remaining
        ])][:attempts.seats] AS due
    FROM smallest_unique_account AS account
    JOIN smallest_unique_attempts AS attempts USING (log, attempt)
    JOIN (SELECT log, seed FROM tournaments) USING (log)
    WHERE type = 'match_played'
)
WHERE seats <> due;
