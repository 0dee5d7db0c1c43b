-- Coins: the sum of points, most first (CN-10), by bot: a name with the hash of its files.
-- low and high: the 95 % Student's t interval of points per game; none for a single game, or if all
-- games gave the same points.
WITH bots AS (
    SELECT
        name, bot,
        count(*) AS games,
        sum(score)::HUGEINT AS points,
        count(*) FILTER (won) AS wins,
        sum(faults)::BIGINT AS faults,
        avg(score) AS per_game,
        student_margin(stddev_samp(score ORDER BY score), count(*)) AS margin
    FROM seats()
    WHERE game = 'coins' AND counts
    GROUP BY name, bot
)
SELECT
    rank() OVER (ORDER BY until_over(per_game) DESC, when_over(points) DESC) AS rank,
    name, games, points, wins, faults,
    round(per_game, 4) AS points_per_game,
    round(per_game - margin, 4) AS low,
    round(per_game + margin, 4) AS high,
    bot
FROM bots
ORDER BY rank, points DESC, per_game DESC, name, bot;
