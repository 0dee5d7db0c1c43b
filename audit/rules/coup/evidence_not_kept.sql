-- clause: CP-17
-- severity: error
-- The log does not record what a bot wrote: an answer has an output and an addition, even if they
-- are empty, and tampering has the file.
SELECT
    log, match, seq,
    if(kind = 'tampered', 'the file, or what was in its place', 'output and addition') AS expected,
    CASE
        WHEN kind = 'tampered' OR output IS NULL AND added IS NULL THEN 'nothing'
        ELSE if(output IS NULL, 'no output', 'no addition')
    END AS found
FROM (
    SELECT
        log, match, seq, game, 'accepted' AS kind,
        coalesce(output, output_base64) AS output, coalesce(appended, appended_base64) AS added,
        NULL AS file
    FROM answered
    UNION ALL
    SELECT
        log, match, seq, game, kind,
        coalesce(output, output_base64), coalesce(appended, appended_base64),
        coalesce(file, file_base64, faults.found)
    FROM faults
)
WHERE game = 'coup' AND CASE
    WHEN kind IN ('accepted', 'illegal') THEN output IS NULL OR added IS NULL
    WHEN kind = 'tampered' THEN file IS NULL
END;
