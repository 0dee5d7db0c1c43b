-- clause: CN-5
-- severity: error
-- kind: tournament
-- The tournament recorded a result that no game can have.
SELECT
    log, match, seq,
    'rounds_played or centre_empty, winners ' || shown(coins_best(scores)) AS expected,
    reason || ', scores ' || shown(scores) || ', winners ' || shown(winners) || ', faults '
        || shown(faults) AS found
FROM schedule
WHERE game = 'coins' AND NOT (
    reason IN ('rounds_played', 'centre_empty') AND winners = coins_best(scores)
    AND len([fault FOR fault IN faults IF fault.kind = 'tampered']) = 0
);
