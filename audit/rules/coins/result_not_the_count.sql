-- clause: CN-5
-- severity: error
-- The scores are not the points of the count, or the winners are not all players with the most
-- points.
SELECT
    log, match, seq,
    'scores ' || shown(points) || ', winners ' || shown(coins_best(points)) AS expected,
    'scores ' || shown(scores) || ', winners ' || shown(winners) AS found
FROM (
    SELECT log, match, finished AS seq, scores, winners FROM matches WHERE finished IS NOT NULL
)
JOIN (SELECT DISTINCT ON (log) log, points FROM coins_counted ORDER BY log, seq) USING (log)
WHERE (scores, winners) IS DISTINCT FROM (points, coins_best(points));
