-- clause: BH-11
-- severity: error
-- A player that backed out does not have exactly the credits that it had before.
SELECT
    log, match, seq, 'seat ' || seat || ': ' || expected AS expected,
    'seat ' || seat || ': ' || after AS found, game, seat, arithmetic
FROM bank_heist_seen_wrong
WHERE action = 'back out';
