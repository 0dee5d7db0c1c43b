-- clause: BH-6
-- severity: error
-- An answer of more than 64 KiB was not recorded as an oversize fault.
SELECT
    log, match, seq, 'a fault, oversize' AS expected, coalesce(kind, 'accepted') || ', cut' AS found
FROM bank_heist_decisions
WHERE is_cut AND coalesce(kind, '') NOT IN ('oversize', 'crash');
