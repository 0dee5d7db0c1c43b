-- clause: BH-18
-- severity: error
-- Winnings are not 0 after intel or a deposit, grown by the account after a withdrawal, and
-- otherwise unchanged.
SELECT
    log, match,
    coalesce(
        moves['intel winnings'].seq, moves['deposit winnings'].seq,
        moves['withdraw winnings'].seq, around
    ) AS seq,
    'seat ' || seat || ': ' || CASE
        WHEN NOT succeeded THEN winnings
        WHEN action IN ('acquire intel', 'deposit') THEN 0
        WHEN action = 'withdraw' THEN least(1000000000000000, winnings + account)
        ELSE winnings
    END AS expected,
    'seat ' || seat || ': ' || winnings_action AS found
FROM bank_heist_settled
WHERE found <> expected;
