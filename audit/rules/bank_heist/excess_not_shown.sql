-- clause: BH-6
-- severity: error
-- A bot was faulted for an answer of more than 64 KiB, but the log records a shorter answer.
SELECT log, match, seq, 'an output cut at 64 KiB' AS expected, shown(said) AS found
FROM bank_heist_decisions
WHERE kind = 'oversize' AND NOT is_cut;
