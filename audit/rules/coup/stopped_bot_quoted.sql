-- clause: CP-17
-- severity: error
-- The output of a bot that was stopped at its time limit was recorded, although it depends on the
-- moment.
SELECT
    log, match, seq,
    'a timeout without output and file' AS expected,
    shown([text FOR text IN texts IF text IS NOT NULL]) AS found
FROM (
    SELECT log, match, seq,
        [output, output_base64, appended, appended_base64, file, file_base64, found] AS texts
    FROM faults
    WHERE game = 'coup' AND kind = 'timeout'
)
WHERE len([text FOR text IN texts IF text IS NOT NULL]) > 0;
