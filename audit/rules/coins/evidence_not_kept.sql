-- clause: CN-7
-- severity: error
-- A bot failed by what it printed, and the record does not keep what it printed.
SELECT log, match, seq, 'the raw output' AS expected, 'nothing' AS found
FROM faults
WHERE game = 'coins' AND kind IN ('illegal', 'oversize')
    AND coalesce(output, output_base64) IS NULL;
