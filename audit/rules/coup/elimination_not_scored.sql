-- clause: CP-2
-- severity: error
-- A player lost its last card but the other did not win with 1 point, or a win by elimination had
-- no victim.
SELECT log, match, seq, coalesce(expected, 'no elimination') AS expected, found
FROM coup_results
WHERE (due = 'eliminated' OR reason = 'eliminated') AND found IS DISTINCT FROM expected;
