-- clause: CP-17
-- severity: error
-- A bot failed but its opponent did not win with 1 point, or a forfeit had no fault.
SELECT log, match, seq, coalesce(expected, 'no forfeit') AS expected, found
FROM coup_results
WHERE (due = 'forfeit' OR reason = 'forfeit') AND found IS DISTINCT FROM expected;
