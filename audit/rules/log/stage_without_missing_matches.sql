-- clause: koth-log/1
-- severity: error
-- kind: contest
-- A stage starts although no match is missing: all its versions were together in earlier stages, or
-- in a game of all the last stage had the same versions.
WITH versions AS (
    SELECT *, min(seq) OVER (PARTITION BY log, name, bot) AS id FROM entries
),
first_together AS (
    SELECT log, min(greatest(a.first_stage, b.first_stage)) AS stage
    FROM versions AS a
    JOIN versions AS b USING (log)
    WHERE a.name < b.name AND coalesce(
        greatest(a.first_stage, b.first_stage) <= least(a.last_stage, b.last_stage), true
    )
    GROUP BY log, a.id, b.id
),
changed AS (
    SELECT log, stage
    FROM (
        SELECT log, first_stage AS stage, name, bot, 1 AS more FROM entries
        UNION ALL
        SELECT log, last_stage + 1, name, bot, -1 FROM entries WHERE last_stage IS NOT NULL
    )
    GROUP BY log, stage, name, bot
    HAVING sum(more) <> 0
)
SELECT
    log, NULL AS match, seq,
    'missing matches' AS expected, 'stage ' || stage || ' without any' AS found
FROM stages
JOIN contests USING (log)
WHERE (plays = 'pairings' AND (log, stage) NOT IN (FROM first_together))
    OR (plays = 'tournaments' AND (log, stage) NOT IN (FROM changed));
