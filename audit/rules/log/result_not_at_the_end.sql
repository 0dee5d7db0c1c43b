-- clause: koth-log/1
-- severity: error
-- A log does not have exactly one result, in the line above its seal.
SELECT
    log, match, finished AS seq,
    'one result, at seq ' || events - 1 AS expected,
    coalesce('the first result at seq ' || finished, 'no result') AS found
FROM (
    SELECT log, match, finished, events FROM matches
    UNION ALL
    SELECT log, NULL, finished, events FROM tournaments
)
WHERE finished IS DISTINCT FROM events - 1;
