-- clause: BH-6
-- severity: error
-- A bet was rejected as illegal although it is an integer.
SELECT log, match, seq, 'accepted: ' || integer AS expected, 'illegal: ' || shown(said) AS found
FROM bank_heist_decisions
WHERE kind = 'illegal' AND ask = 'bet' AND integer IS NOT NULL AND NOT is_cut;
