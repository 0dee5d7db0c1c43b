-- clause: CN-7
-- severity: error
-- The record of an answer or a fault has content from another channel than the output.
SELECT log, match, seq, 'an output alone' AS expected, shown(alien) AS found
FROM (
    SELECT log, match, seq, game, coalesce(appended, appended_base64) AS alien FROM answers
    UNION ALL
    SELECT
        log, match, seq, game,
        coalesce(appended, appended_base64, file, file_base64, faults.found)
    FROM faults
)
WHERE game = 'coins' AND alien IS NOT NULL;
