-- clause: BH-6
-- severity: error
-- A bot was said to have written more than 64 KiB, and the record shows less.
SELECT log, match, seq, 'an output cut at 64 KiB' AS expected, shown(said) AS found
FROM bank_heist_decisions
WHERE kind = 'oversize' AND NOT is_cut;
