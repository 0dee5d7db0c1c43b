-- clause: CP-3
-- severity: error
-- A player was called after the last call that the settings allow.
SELECT
    log, match, calls.seq,
    'a draw after ' || max_calls || ' calls' AS expected, 'call ' || call AS found
FROM coup_results
JOIN (SELECT log, seq, call FROM coup_calls) AS calls USING (log)
WHERE call = max_calls + 1;
