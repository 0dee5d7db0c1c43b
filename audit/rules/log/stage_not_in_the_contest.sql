-- clause: koth-log/1
-- severity: error
-- kind: contest
-- Among the stages of a contest is the tournament of a stage that its log does not have.
SELECT DISTINCT
    played._log AS log, NULL AS match, 0 AS seq,
    'a stage in the log of the contest' AS expected, played.tournament AS found
FROM raw.logs AS own
JOIN raw.logs AS played ON regexp_extract(played.folder, '^(.*)/stages/[^/]*$', 1) = own.folder
WHERE own.kind = 'contest' AND played.kind = 'tournament' AND played.folder NOT IN (
    SELECT stage_folder(folder, stage) FROM stages JOIN raw.logs ON _log = log
);
