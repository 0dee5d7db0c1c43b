-- clause: BH-24
-- severity: error
-- A cross failed, and a player has credits that neither its part nor its fine explains.
SELECT
    log, match, seq, 'seat ' || seat || ': ' || expected AS expected,
    'seat ' || seat || ': ' || after AS found, game, seat, arithmetic
FROM bank_heist_seen_wrong
WHERE (straight OR crosser) AND verdict = 'failed';
