-- clause: koth-log/1
-- severity: error
-- A log does not have exactly one result, in the line above its seal.
SELECT
    log, match, max(seq) AS seq,
    'one result, at seq ' || above - 1 AS expected,
    if(count(seq) = 0, 'no result', 'results at seq ' || shown(list(seq ORDER BY seq))) AS found
FROM (
    SELECT log, match, events AS above FROM matches
    UNION ALL
    SELECT log, NULL, events FROM tournaments
)
LEFT JOIN (
    SELECT log, seq FROM events WHERE type IN ('match_finished', 'tournament_finished')
) USING (log)
GROUP BY log, match, above
HAVING list(seq) <> [above - 1];
