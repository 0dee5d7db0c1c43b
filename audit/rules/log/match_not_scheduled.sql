-- clause: koth-log/1
-- severity: error
-- kind: tournament
-- A match log belongs to a tournament whose log does not list the match.
SELECT
    log, match, 0 AS seq,
    'a match of ' || tournament AS expected, match AS found
FROM logs
WHERE tournament_log IS NOT NULL
    AND (tournament_log, match) NOT IN (SELECT (log, match) FROM schedule);
