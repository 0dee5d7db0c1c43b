-- clause: BH-13
-- severity: error
-- A movement starts from another amount than the previous movement left.
WITH chains AS (
    SELECT
        log, match, seq, before, what,
        lag(after) OVER (
            -- BH-10: winnings are those of one game.
            PARTITION BY log, seat, what, bank, if(what = 'winnings', game, NULL)
            ORDER BY seq
        ) AS last
    FROM bank_heist_moves
)
SELECT log, match, seq, coalesce(last, 0) AS expected, before AS found
FROM chains
WHERE (last IS NOT NULL OR what = 'winnings') AND found <> expected;
