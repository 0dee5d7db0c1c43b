-- clause: SU-9
-- severity: error
-- A bot was disqualified for its selection, but the log does not record the selection.
SELECT log, match, seq, 'what was selected' AS expected, 'nothing' AS found
FROM faults
WHERE game = 'smallest_unique' AND kind = 'illegal'
    AND coalesce(output, output_base64) IS NULL;
