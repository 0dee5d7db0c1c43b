-- clause: CP-3
-- severity: error
-- A match without a winner after the last call did not end in a draw with 0 points each, or another
-- match did.
SELECT log, match, seq, coalesce(expected, 'the match goes on') AS expected, found
FROM coup_results
WHERE (due = 'drawn' OR reason = 'drawn') AND found IS DISTINCT FROM expected;
