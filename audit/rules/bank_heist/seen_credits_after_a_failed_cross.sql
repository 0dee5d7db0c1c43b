-- clause: BH-24
-- severity: error
-- A cross failed, and neither a player's part nor its fine explains its credits.
SELECT
    log, match, seq, 'seat ' || seat || ': ' || expected AS expected,
    'seat ' || seat || ': ' || after AS found, game, seat, arithmetic
FROM bank_heist_seen_wrong
WHERE (straight OR crosser) AND verdict = 'failed';
