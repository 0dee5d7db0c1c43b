-- clause: BH-12
-- severity: error
-- A player that went all in has neither nothing nor an amount that its stake brings at any bank.
SELECT
    log, match, seq, 'seat ' || seat || ': ' || expected AS expected,
    'seat ' || seat || ': ' || after AS found, game, seat, arithmetic
FROM bank_heist_seen_wrong
WHERE action = 'all in';
