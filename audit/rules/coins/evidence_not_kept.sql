-- clause: CN-7
-- severity: error
-- A bot failed because of what it printed, but the log does not record what it printed.
SELECT log, match, seq, 'the raw output' AS expected, 'nothing' AS found
FROM faults
WHERE game = 'coins' AND kind IN ('illegal', 'oversize')
    AND coalesce(output, output_base64) IS NULL;
