-- clause: BH-6
-- severity: error
-- What a bot wrote before it was stopped for its time was recorded, although it depends on the moment.
SELECT
    log, match, seq, 'a timeout without output' AS expected,
    shown(coalesce(output, output_base64)) AS found
FROM faults
WHERE game = 'bank_heist' AND kind = 'timeout' AND coalesce(output, output_base64) IS NOT NULL;
