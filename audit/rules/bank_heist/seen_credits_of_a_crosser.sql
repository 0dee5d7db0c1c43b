-- clause: BH-20
-- severity: error
-- A cross succeeded, and a crosser has neither its gains nor a quarter less.
SELECT
    log, match, seq, 'seat ' || seat || ': ' || expected AS expected,
    'seat ' || seat || ': ' || after AS found, game, seat, arithmetic
FROM bank_heist_seen_wrong
WHERE crosser AND verdict = 'succeeded';
