-- clause: CP-5
-- severity: error
-- An assassination was begun by a player with fewer than 3 coins.
SELECT log, match, seq, 'at least 3 coins' AS expected, own || ' coins' AS found
FROM coup_calls
WHERE type = 'answered' AND line = '' AND appended = 'A' AND own < 3;
