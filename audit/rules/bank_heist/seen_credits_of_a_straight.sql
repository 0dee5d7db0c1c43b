-- clause: BH-23
-- severity: error
-- A cross succeeded, and a player that was robbed has credits that no share and no finger explains.
SELECT
    log, match, seq, 'seat ' || seat || ': ' || expected AS expected,
    'seat ' || seat || ': ' || after AS found, game, seat, arithmetic
FROM bank_heist_seen_wrong
WHERE straight AND verdict = 'succeeded';
