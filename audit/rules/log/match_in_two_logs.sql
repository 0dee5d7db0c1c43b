-- clause: koth-log/1
-- severity: error
-- kind: tournament
-- Two logs of the same tournament record the same match.
SELECT
    max(log) AS log, match, 0 AS seq,
    'one log' AS expected, string_agg(path, ' and ' ORDER BY log) AS found
FROM logs
WHERE tournament_log IS NOT NULL
GROUP BY tournament_log, match
HAVING count(*) > 1;
