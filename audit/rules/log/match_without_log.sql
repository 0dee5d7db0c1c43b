-- clause: koth-log/1
-- severity: error
-- kind: tournament
-- The log of this match is missing, although logs of other matches of its tournament were read.
SELECT
    log, match, seq,
    'the log of ' || match AS expected, 'none that can be read' AS found
FROM schedule
WHERE log IN (SELECT tournament_log FROM logs)
    AND (log, match) NOT IN (SELECT (tournament_log, match) FROM logs WHERE tournament_log IS NOT NULL);
