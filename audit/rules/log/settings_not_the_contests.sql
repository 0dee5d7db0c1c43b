-- clause: koth-log/1
-- severity: error
-- kind: contest
-- The tournament of a stage was played under other rules or settings than its contest's.
SELECT
    tournaments.log, NULL AS match, 0 AS seq,
    contests.rules || ' ' || contests.settings AS expected,
    tournaments.rules || ' ' || tournaments.settings AS found
FROM stages
JOIN contests USING (log)
JOIN tournaments ON tournaments.log = tournament_log
WHERE found <> expected;
