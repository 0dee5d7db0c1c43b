-- clause: BH-20
-- severity: error
-- A finger did not receive the payment of each crosser that it exposed, or another player received
-- one.
WITH quarters AS (
    SELECT log, game, finger AS seat, list(quarter ORDER BY nth) AS quarters
    FROM bank_heist_unmasked
    WHERE quarter > 0
    GROUP BY ALL
)
SELECT
    log, match, coalesce(moves['finger credits'].seq, around) AS seq,
    'seat ' || seat || ': ' || shown([
        least(1000000000000000, credits_bet + list_sum(quarters[:n]))
        FOR n IN range(1, len(coalesce(quarters, [])) + 1)
        IF credits_bet + coalesce(list_sum(quarters[:n - 1]), 0) < 1000000000000000
    ]) AS expected,
    'seat ' || seat || ': ' || shown(credits_paid_in) AS found
FROM bank_heist_settled
LEFT JOIN quarters USING (log, game, seat)
WHERE found <> expected;
