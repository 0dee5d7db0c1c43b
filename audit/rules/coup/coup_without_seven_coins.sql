-- clause: CP-5
-- severity: error
-- A player with fewer than 7 coins began a coup.
SELECT log, match, seq, 'at least 7 coins' AS expected, own || ' coins' AS found
FROM coup_calls
WHERE type = 'answered' AND appended = 'C' AND own < 7;
