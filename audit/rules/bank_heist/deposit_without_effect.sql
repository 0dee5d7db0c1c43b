-- clause: BH-17
-- severity: error
-- The winnings of a player that made a deposit did not go to its account.
SELECT
    log, match, coalesce(moves['deposit account'].seq, around) AS seq,
    'seat ' || seat || ': ' || least(1000000000000000, account + winnings) AS expected,
    'seat ' || seat || ': ' || account_action AS found
FROM bank_heist_settled
WHERE action = 'deposit' AND found <> expected;
