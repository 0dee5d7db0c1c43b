-- clause: CP-20
-- severity: error
-- kind: tournament
-- A published table gives a bot more points than games, or all bots together more points than there
-- were games.
WITH published AS (
    SELECT log, name, seq, score, games
    FROM standings
    JOIN (SELECT log FROM tournaments WHERE source = 'imported') USING (log)
    WHERE game = 'coup'
)
SELECT
    log, NULL AS match, seq,
    '0 to ' || games || ' points of ' || name AS expected, score::VARCHAR AS found
FROM published
WHERE score NOT BETWEEN 0 AND games
UNION ALL
SELECT
    log, NULL, max(seq),
    'up to ' || sum(games) // 2 || ' points of all, one a game', sum(score)::VARCHAR
FROM published
GROUP BY log
HAVING sum(score) > sum(games) // 2;
