-- clause: SU-9
-- severity: error
-- A fault is of a kind that there is not in this step, or recorded under another clause or penalty.
SELECT
    log, match, seq,
    if(ask = 'select', 'illegal, ', '') || 'crash, timeout or oversize under SU-9, disqualified'
        AS expected,
    kind || ' under ' || clause || ', ' || penalty AS found
FROM faults
WHERE game = 'smallest_unique' AND (
    (clause, penalty) <> ('SU-9', 'disqualified') OR kind = 'tampered'
    OR (kind = 'illegal' AND ask <> 'select')
);
