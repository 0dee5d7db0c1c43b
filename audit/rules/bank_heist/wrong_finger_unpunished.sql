-- clause: BH-21
-- severity: error
-- A finger that exposed nobody did not lose half its winnings, 5 % of its salary and 0.05 of its
-- odds, or another player did.
SELECT
    log, match,
    coalesce(
        moves['false_finger winnings'].seq, moves['false_finger salary'].seq,
        moves['false_finger odds'].seq, around
    ) AS seq,
    'seat ' || seat || ': winnings, salary, odds ' || if(
        wrong_finger,
        shown([
            winnings_action - winnings_action // 2, salary_exposed - salary_exposed // 20,
            greatest(0, odds_action - 50000000)
        ]),
        shown([winnings_action, salary_exposed, odds_action])
    ) AS expected,
    'seat ' || seat || ': winnings, salary, odds '
        || shown([winnings_end, salary_fingers, odds_end]) AS found
FROM bank_heist_settled
WHERE found <> expected;
