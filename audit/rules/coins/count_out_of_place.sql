-- clause: CN-5
-- severity: error
-- The coins were not counted exactly once, between the last turn and the result.
SELECT
    log, match, seq,
    'the count, between the last turn and the result' AS expected,
    coalesce(type || ' below ' || above, 'nothing') AS found
FROM coins_course
WHERE (type = 'counted' AND (above, below) IS DISTINCT FROM ('acted', 'finished'))
    OR (type = 'finished' AND above IS DISTINCT FROM 'counted');
