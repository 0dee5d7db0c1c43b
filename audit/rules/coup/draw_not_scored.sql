-- clause: CP-3
-- severity: error
-- A match without a winner after the last call was not drawn at 0 points each, or another was.
SELECT log, match, seq, coalesce(expected, 'the match goes on') AS expected, found
FROM coup_results
WHERE (due = 'drawn' OR reason = 'drawn') AND found IS DISTINCT FROM expected;
