-- clause: koth-log/1
-- severity: error
-- kind: contest
-- A stage does not start with the number after the last one, or does not end before the next stage
-- and before the seal.
WITH changes AS (
    SELECT
        log, seq, type,
        CASE type
            WHEN 'stage_started' THEN 'start of stage ' || (event->>'stage')
            WHEN 'stage_finished' THEN 'end of stage ' || (event->>'stage')
            ELSE 'seal'
        END AS found,
        count(CASE WHEN type = 'stage_started' THEN 1 END) OVER above AS started,
        coalesce(lag(type) OVER (PARTITION BY log ORDER BY seq), 'none') AS last
    FROM events
    WHERE type IN ('stage_started', 'stage_finished', 'contest_sealed')
    WINDOW above AS (PARTITION BY log ORDER BY seq ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW)
)
SELECT
    log, NULL AS match, seq,
    if(last = 'stage_started', 'end of stage ' || started, 'start of stage ' || started + 1)
        AS expected,
    found
FROM changes
WHERE found <> expected AND (type <> 'contest_sealed' OR last = 'stage_started');
