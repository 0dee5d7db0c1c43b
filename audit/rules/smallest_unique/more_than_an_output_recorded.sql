-- clause: SU-9
-- severity: error
-- The record of a reply has content from another channel than the output, or an output that depends
-- on the moment.
SELECT
    log, match, seq,
    if(kind = 'timeout', 'no output', 'an output alone') AS expected, shown(alien) AS found
FROM (
    SELECT log, match, seq, game, NULL AS kind, coalesce(appended, appended_base64) AS alien
    FROM answered
    UNION ALL
    SELECT
        log, match, seq, game, kind,
        coalesce(appended, appended_base64, file, file_base64, faults.found,
            if(kind = 'timeout', coalesce(output, output_base64), NULL))
    FROM faults
)
WHERE game = 'smallest_unique' AND alien IS NOT NULL;
