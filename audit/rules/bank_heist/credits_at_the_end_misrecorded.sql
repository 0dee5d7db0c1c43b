-- clause: BH-13
-- severity: error
-- The credits at the end of a game are not the credits that the players have then.
SELECT
    log, match, finished.seq AS seq,
    shown(list(credits_end ORDER BY seat)) AS expected, shown(finished.credits) AS found
FROM bank_heist_settled
JOIN (SELECT log, game, finished FROM bank_heist_games WHERE finished IS NOT NULL) USING (log, game)
GROUP BY log, match, game, finished
HAVING found <> expected;
