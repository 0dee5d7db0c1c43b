-- clause: SU-9
-- severity: error
-- kind: tournament
-- An attempt with a fault was not voided for it, or an attempt was voided for a fault or a reason
-- that does not exist.
SELECT
    log, NULL AS match, seq,
    if(due = 'disqualified', 'voided, disqualified', 'not voided for a fault') AS expected,
    coalesce('voided, ' || reason, 'not voided') AS found
FROM smallest_unique_attempts
WHERE reason IS DISTINCT FROM due
    AND (due = 'disqualified' OR reason <> 'too_few_games');
