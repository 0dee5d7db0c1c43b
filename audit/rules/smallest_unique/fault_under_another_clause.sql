-- clause: SU-9
-- severity: error
-- A fault has a kind that its step does not know, or another clause or penalty.
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
