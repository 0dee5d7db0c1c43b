-- clause: BH-16
-- severity: error
-- A player that bought a guard does not have it and the probability that it brings, or another
-- player does.
SELECT
    log, match, coalesce(moves['guard guards'].seq, moves['guard probability'].seq, around) AS seq,
    'seat ' || seat || ': ' || if(
        action = 'buy guard',
        guards + 1 || ' guards, ' || probability + (1000000000 - probability) // 100,
        guards || ' guards, ' || probability
    ) AS expected,
    'seat ' || seat || ': ' || guards_action || ' guards, ' || probability_action AS found
FROM bank_heist_settled
WHERE found <> expected;
