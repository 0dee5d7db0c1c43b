-- clause: BH-20
-- severity: error
-- An exposed crosser did not lose a quarter of its credits, its job, half its salary and 0.05 of
-- its probability, or another player did.
SELECT
    log, match,
    coalesce(
        moves['exposed credits'].seq, moves['exposed employed'].seq,
        moves['exposed salary'].seq, moves['exposed probability'].seq, around
    ) AS seq,
    'seat ' || seat || ': credits, employed, salary, probability ' || if(
        exposed,
        shown([
            credits_bet - credits_bet // 4, 0, salary // 2,
            greatest(0, probability_action - 50000000)
        ]),
        shown([credits_bet, employed_action, salary, probability_action])
    ) AS expected,
    'seat ' || seat || ': credits, employed, salary, probability '
        || shown([credits_exposed, employed_exposed, salary_exposed, probability_exposed]) AS found
FROM bank_heist_settled
WHERE found <> expected;
