-- clause: CN-8
-- severity: error
-- The output of a bot that was stopped at its time limit was recorded, although it depends on the
-- moment.
SELECT
    log, match, seq,
    'a timeout without output' AS expected, shown(coalesce(output, output_base64)) AS found
FROM faults
WHERE game = 'coins' AND kind = 'timeout' AND coalesce(output, output_base64) IS NOT NULL;
