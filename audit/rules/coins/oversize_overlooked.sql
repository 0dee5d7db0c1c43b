-- clause: CN-7
-- severity: error
-- An answer of more than 64 KiB was not recorded as an oversize fault.
SELECT
    log, match, seq,
    'a fault, oversize' AS expected, coalesce(kind, 'accepted') || ', cut: ' || shown(cut) AS found
FROM coins_course
WHERE len(cut) > 0 AND coalesce(kind, 'illegal') = 'illegal';
