-- clause: BH-23
-- severity: error
-- After a cross that succeeded, a crosser or straight, exposed or not, did not receive the amount
-- due.
SELECT
    log, match, coalesce(moves['share credits'].seq, around) AS seq,
    'seat ' || seat || ': ' || least(1000000000000000, credits_fingers + CASE
        WHEN crosser AND exposed THEN winnings_end
        WHEN crosser THEN winnings_end + shared.crosser_share
        WHEN straight THEN shared.straight_share
        ELSE 0
    END) AS expected,
    'seat ' || seat || ': ' || credits_shared AS found
FROM bank_heist_settled
JOIN (SELECT log, game, shared FROM bank_heist_games) USING (log, game)
WHERE verdict = 'succeeded' AND found <> expected;
