-- clause: BH-27
-- severity: error
-- A withdrawal brought more than deposits and interest can have put into the account.
WITH
-- The most that each of the robbed can have received, at each bank and with or without an exposed
-- crosser. All receive the same (BH-23); a fingerer may have gained more than its share.
shares AS (
    SELECT log, game, bank, scene, seat, max(most_share) AS share
    FROM bank_heist_seen_outcomes
    JOIN (
        SELECT log, game, seat FROM bank_heist_seen
        WHERE straight AND action NOT IN ('finger', 'withdraw') AND verdict = 'succeeded'
    ) USING (log, game, seat)
    WHERE fits
    GROUP BY ALL
),
least_shares AS (
    SELECT log, game, bank, scene, min(share) AS share FROM shares GROUP BY ALL
),
paid AS (
    SELECT log, match, seq, game, seat, bank, scene, max(pay) AS pay
    FROM bank_heist_seen_outcomes
    GROUP BY ALL
),
cases AS (
    SELECT log, game, seat, bank, scene, max(most_share) AS share
    FROM bank_heist_seen_cases
    GROUP BY ALL
),
-- What it can have at most with nothing on its account, even if it was left its winnings.
rest AS (
    SELECT
        log, match, seq, game, seat, after, most_saved[bank + 1] AS saved,
        before + highest_odds[bank + 1] * bet // 1000000000
            + coalesce(least(least_shares.share, cases.share), cases.share) + pay AS most
    FROM paid
    JOIN cases USING (log, game, seat, bank, scene)
    JOIN (
        SELECT log, game, seat, before, bet, after, highest_odds, most_saved
        FROM bank_heist_seen_bounds WHERE action = 'withdraw' AND can_succeed
    ) USING (log, game, seat)
    LEFT JOIN least_shares USING (log, game, bank, scene)
)
SELECT
    log, match, seq, 'seat ' || seat || ': at most ' || max(saved) || ' from its account' AS expected,
    'seat ' || seat || ': at least ' || min(after - most) AS found, game, seat
FROM rest
GROUP BY log, match, seq, game, seat
HAVING bool_and(after - most > saved);
