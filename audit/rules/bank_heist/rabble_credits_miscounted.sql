-- clause: BH-25
-- severity: error
-- The credits of the rabble do not agree with its bets, its shares and its paychecks.
WITH changes AS (
    SELECT log, game, sum(credits_after - credits) AS change
    FROM bank_heist_members GROUP BY ALL
)
SELECT
    log, match, finished.seq AS seq,
    rabble * 240 + coalesce(sum(change) OVER (PARTITION BY log ORDER BY game), 0) AS expected,
    finished.rabble_credits AS found
FROM bank_heist_games
LEFT JOIN changes USING (log, game)
QUALIFY found <> expected;
