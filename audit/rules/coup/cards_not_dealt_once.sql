-- clause: CP-1
-- severity: error
-- The cards were not dealt exactly once, or something happened before the deal or the first call.
SELECT
    log, match, min(seq) AS seq,
    'one deal, directly after the start' AS expected,
    shown(list(type ORDER BY seq)) || ' before the first call' AS found
FROM coup_before
WHERE call = 0 OR type = 'dealt'
GROUP BY log, match
HAVING list(type ORDER BY seq) <> ['dealt'] OR min(seq) <> 1
UNION ALL
SELECT log, match, NULL, 'one deal, directly after the start', 'no deal'
FROM matches
WHERE game = 'coup' AND source IS NULL AND log NOT IN (SELECT log FROM coup_dealt);
