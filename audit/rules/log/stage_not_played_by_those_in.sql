-- clause: koth-log/1
-- severity: error
-- kind: contest
-- The entrants of a stage are not the versions that were in when it started.
WITH due AS (
    SELECT tournament_log AS log, name, entries.bot
    FROM stages
    JOIN entries USING (log)
    WHERE tournament_log IS NOT NULL
        AND first_stage <= stage AND coalesce(last_stage, stage) >= stage
)
SELECT
    log, NULL AS match, 0 AS seq,
    coalesce(name || ' ' || due.bot, 'not ' || name) AS expected,
    coalesce(name || ' ' || played.bot, 'not ' || name) AS found
FROM due
FULL JOIN (
    SELECT * FROM entrants WHERE log IN (SELECT tournament_log FROM stages)
) AS played USING (log, name)
WHERE due.bot IS DISTINCT FROM played.bot AND log IN (SELECT log FROM tournaments);
