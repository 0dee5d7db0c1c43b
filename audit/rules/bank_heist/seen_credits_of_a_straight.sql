-- clause: BH-23
-- severity: error
-- A cross succeeded, and no share and no finger explains the credits of a robbed player.
SELECT
    log, match, seq, 'seat ' || seat || ': ' || expected AS expected,
    'seat ' || seat || ': ' || after AS found, game, seat, arithmetic
FROM bank_heist_seen_wrong
WHERE straight AND verdict = 'succeeded';
