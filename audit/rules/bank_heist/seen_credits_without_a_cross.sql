-- clause: BH-22
-- severity: error
-- Nobody crossed, and no heist and no finger explains a player's credits.
SELECT
    log, match, seq, 'seat ' || seat || ': ' || expected AS expected,
    'seat ' || seat || ': ' || after AS found, game, seat, arithmetic
FROM bank_heist_seen_wrong
WHERE straight AND verdict = 'none';
