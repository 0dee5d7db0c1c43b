-- clause: koth-log/1
-- severity: error
-- kind: contest
-- The tournament's log of a finished stage is missing, although other logs of the stages were read.
SELECT
    log, NULL AS match, finished AS seq,
    'the log of ' || tournament AS expected, 'none that can be read' AS found
FROM stages
WHERE finished IS NOT NULL AND tournament_log IS NULL AND (
    log IN (SELECT log FROM stages WHERE tournament_log IS NOT NULL)
    OR tournament IN (SELECT tournament FROM logs WHERE kind = 'match' AND tournament_log IS NULL)
);
