-- clause: BH-8
-- severity: error
-- A fault has a kind that the decision does not know, or another clause or penalty.
SELECT
    log, match, seq,
    if(
        ask = 'bet',
        'illegal, crash, timeout or oversize: bet 0 under BH-6',
        'crash, timeout or oversize: carry on under BH-8'
    ) AS expected,
    kind || ': ' || penalty || ' under ' || clause AS found
FROM bank_heist_decisions
WHERE type = 'fault' AND CASE ask
    WHEN 'bet' THEN (penalty, clause) <> ('bet 0', 'BH-6')
        OR kind NOT IN ('illegal', 'crash', 'timeout', 'oversize')
    ELSE (penalty, clause) <> ('carry on', 'BH-8')
        OR kind NOT IN ('crash', 'timeout', 'oversize')
END;
