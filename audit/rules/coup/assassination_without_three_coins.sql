-- clause: CP-5
-- severity: error
-- A player with fewer than 3 coins began an assassination.
SELECT log, match, seq, 'at least 3 coins' AS expected, own || ' coins' AS found
FROM coup_calls
WHERE type = 'answered' AND appended = 'A' AND own < 3;
