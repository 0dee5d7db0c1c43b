-- clause: SU-5
-- severity: error
-- kind: tournament
-- A published table gives a bot more wins than games, or all bots together fewer wins than games,
-- although each game has a winner.
WITH published AS (
    SELECT log, name, seq, score, games, (settings->>'seats')::BIGINT AS seats
    FROM standings
    JOIN (SELECT log, settings FROM tournaments WHERE source = 'imported') USING (log)
    WHERE game = 'smallest_unique'
)
SELECT
    log, NULL AS match, seq,
    '0 to ' || games || ' wins of ' || name AS expected, score::VARCHAR AS found
FROM published
WHERE score NOT BETWEEN 0 AND games
UNION ALL
SELECT
    log, NULL, max(seq),
    'at least ' || sum(games) // max(seats) || ' wins of all, one a game', sum(score)::VARCHAR
FROM published
GROUP BY log
HAVING sum(score) < sum(games) // max(seats);
