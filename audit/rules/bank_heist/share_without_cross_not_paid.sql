-- clause: BH-22
-- severity: error
-- Without a cross, a straight did not receive its winnings and its share, or another player
-- received credits.
SELECT
    log, match, coalesce(moves['share credits'].seq, around) AS seq,
    'seat ' || seat || ': ' || if(
        straight,
        least(1000000000000000, credits_fingers + winnings_end + shared.straight_share),
        credits_fingers
    ) AS expected,
    'seat ' || seat || ': ' || credits_shared AS found
FROM bank_heist_settled
JOIN (SELECT log, game, shared FROM bank_heist_games) USING (log, game)
WHERE verdict = 'none' AND found <> expected;
