-- clause: BH-18
-- severity: error
-- The account of a player that succeeded and withdrew is not empty, or another account was emptied.
SELECT
    log, match, coalesce(moves['withdraw account'].seq, around) AS seq,
    'seat ' || seat || ': ' || if(succeeded AND action = 'withdraw', 0, account) AS expected,
    'seat ' || seat || ': ' || account_action AS found
FROM bank_heist_settled
WHERE (action = 'withdraw' OR moves['withdraw account'] IS NOT NULL) AND found <> expected;
