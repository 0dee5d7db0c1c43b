-- title: Credits over games
-- kind: lines
-- scale: log
-- x: game
-- y: credits
-- The credits of each player at the end of a game; in a series, the mean over the matches that
-- reached this game.
WITH ends AS (
    SELECT log, number, credits FROM bank_heist_game_finished
    UNION ALL  -- an imported match
    SELECT log, number, credits FROM bank_heist_credits_seen
),
lasted AS (
    SELECT min(last) AS games
    FROM (SELECT max(number) AS last FROM ends JOIN matches USING (log) WHERE NOT void GROUP BY log)
),
credits AS (
    SELECT log, number, generate_subscripts(credits, 1) - 1 AS seat, unnest(credits) AS credits
    FROM ends
    JOIN lasted ON number <= games
)
SELECT name AS series, number + 1 AS x, avg(credits.credits) AS y
FROM credits
JOIN seats() USING (log, seat)
WHERE counts
GROUP BY ALL
ORDER BY series, x;
