-- clause: BH-25
-- severity: error
-- An employed player that neither backed out nor went all in did not receive its salary, or another
-- player did.
SELECT
    log, match, coalesce(moves['paycheck credits'].seq, around) AS seq,
    'seat ' || seat || ': ' || if(
        employed_end = 1 AND coalesce(action NOT IN ('back out', 'all in'), true),
        least(1000000000000000, credits_shared + salary_end),
        credits_shared
    ) AS expected,
    'seat ' || seat || ': ' || credits_paid AS found
FROM bank_heist_settled
WHERE found <> expected;
