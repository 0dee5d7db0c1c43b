-- clause: koth-log/1
-- severity: error
-- kind: contest
-- The tournament of a stage does not have the id that follows from the contest and the stage.
SELECT
    tournaments.log, NULL AS match, 0 AS seq,
    stages.tournament AS expected, tournaments.tournament AS found
FROM stages
JOIN tournaments ON tournaments.log = tournament_log
WHERE found <> expected;
