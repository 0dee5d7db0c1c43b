-- clause: BH-15
-- severity: error
-- A player that acquired intel does not have the odds that its winnings bring, or another player's
-- odds rose.
SELECT
    log, match, coalesce(moves['intel odds'].seq, around) AS seq,
    'seat ' || seat || ': ' || if(
        action = 'acquire intel', least(1000000000000, odds + 10000 * winnings), odds
    ) AS expected,
    'seat ' || seat || ': ' || odds_action AS found
FROM bank_heist_settled
WHERE found <> expected;
