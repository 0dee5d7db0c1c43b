-- clause: BH-7
-- severity: error
-- The bank is not the one with the highest threshold that heisters and bets reach.
SELECT
    log, match, closed.seq AS seq,
    bank_heist_bank(heisters, total) AS expected, closed.bank AS found
FROM bank_heist_games
WHERE found <> expected;
