-- clause: BH-6
-- severity: error
-- An answer came from another channel than the standard output, which is the only one for bots.
WITH said AS (
    SELECT
        log, match, seq, game,
        coalesce(output, output_base64) AS output,
        coalesce(appended, appended_base64) AS alien, true AS due
    FROM answered
    UNION ALL
    SELECT
        log, match, seq, game,
        coalesce(output, output_base64),
        coalesce(appended, appended_base64, file, file_base64, found), kind = 'illegal'
    FROM faults
)
SELECT
    log, match, seq, 'an output, nothing else' AS expected,
    'output ' || shown(left(output, 100)) || ', elsewhere ' || shown(left(alien, 100)) AS found
FROM said
WHERE game = 'bank_heist' AND (alien IS NOT NULL OR due AND output IS NULL);
