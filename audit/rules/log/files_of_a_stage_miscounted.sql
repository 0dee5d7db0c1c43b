-- clause: koth-log/1
-- severity: error
-- kind: contest
-- The end of a stage counts other files than the logs of its matches and that of its tournament.
SELECT
    stages.log, NULL AS match, stages.finished AS seq,
    count(schedule.match) + 1 || ' files' AS expected, files || ' files' AS found
FROM stages
JOIN tournaments ON tournaments.log = tournament_log
LEFT JOIN schedule ON schedule.log = tournament_log
GROUP BY stages.log, stages.finished, files
HAVING files <> count(schedule.match) + 1;
