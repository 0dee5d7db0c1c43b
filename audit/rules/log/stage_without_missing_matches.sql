-- clause: koth-log/1
-- severity: error
-- A stage starts although no match is missing: all its versions were together in earlier stages, or
-- in a game of all the last stage had the same versions.
WITH first_together AS (
    SELECT log, min(greatest(a.first_stage, b.first_stage)) AS stage
    FROM entries AS a
    JOIN entries AS b USING (log)
    WHERE a.name < b.name AND coalesce(
        greatest(a.first_stage, b.first_stage) <= least(a.last_stage, b.last_stage), true
    )
    GROUP BY log, a.name, a.bot, b.name, b.bot
),
versions AS (
    SELECT
        stages.log, stage,
        list({name: name, bot: bot} ORDER BY name) FILTER (name IS NOT NULL) AS versions
    FROM stages
    LEFT JOIN entries
        ON entries.log = stages.log
        AND first_stage <= stage AND coalesce(last_stage, stage) >= stage
    GROUP BY ALL
),
changed AS (
    SELECT log, stage
    FROM versions
    QUALIFY versions IS DISTINCT FROM lag(versions) OVER (PARTITION BY log ORDER BY stage)
)
SELECT
    log, NULL AS match, seq,
    'missing matches' AS expected, 'stage ' || stage || ' without any' AS found
FROM stages
JOIN contests USING (log)
WHERE (plays = 'pairings' AND (log, stage) NOT IN (FROM first_together))
    OR (plays = 'tournaments' AND (log, stage) NOT IN (FROM changed));
