-- clause: BH-6
-- severity: error
-- An answer that is not an integer was accepted as a bet.
SELECT log, match, seq, 'a fault: digits alone are an integer' AS expected, shown(said) AS found
FROM bank_heist_decisions
WHERE type = 'answered' AND ask = 'bet' AND integer IS NULL;
