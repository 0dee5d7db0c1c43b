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
counted AS (
    SELECT log, seat, name FROM seats() WHERE counts
),
lasted AS (
    SELECT min(last) AS games
    FROM (SELECT max(number) AS last FROM ends WHERE log IN (SELECT log FROM counted) GROUP BY log)
),
credits AS (
    SELECT log, number, generate_subscripts(credits, 1) - 1 AS seat, unnest(credits) AS credits
    FROM ends
    JOIN lasted ON number <= games
)
SELECT name AS series, number::HUGEINT + 1 AS x,  -- of a forged log, any number
    avg(credits.credits) AS y
FROM credits
JOIN counted USING (log, seat)
GROUP BY ALL
ORDER BY series, x;
