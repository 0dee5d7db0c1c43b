-- clause: CN-7
-- severity: error
-- A fault has a kind that the game does not know, or another clause or penalty.
SELECT
    log, match, seq,
    if(due IS NULL, 'illegal, oversize, crash or timeout', kind || ' under ' || due || ', NNN')
        AS expected,
    kind || ' under ' || clause || ', ' || penalty AS found
FROM (
    SELECT *, CASE
        WHEN kind IN ('illegal', 'oversize', 'crash') THEN 'CN-7'
        WHEN kind = 'timeout' THEN 'CN-8'
    END AS due
    FROM faults
    WHERE game = 'coins'
)
WHERE (clause, penalty) IS DISTINCT FROM (due, 'NNN');
