-- clause: BH-13
-- severity: error
-- A recorded movement changes nothing.
SELECT log, match, seq, 'another amount than ' || before AS expected, after AS found
FROM bank_heist_moves
WHERE before = after;
