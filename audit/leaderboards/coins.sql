-- Coins: the sum of points, most first (CN-10), by bot: a name with the hash of its files. low and
-- high are the 95 % interval of the points per game, by the spread over the games.
WITH seats AS (
    SELECT
        name, bot, score, won,
        (SELECT count(*) FROM faults WHERE faults.log = players.log AND faults.seat = players.seat)
            AS faults
    FROM players
    WHERE game = 'coins'
),
bots AS (
    SELECT
        name, bot,
        count(*) AS games,
        sum(score)::HUGEINT AS points,
        count(*) FILTER (won) AS wins,
        sum(faults)::BIGINT AS faults,
        avg(score) AS per_game,
        1.959964 * stddev_samp(score) / sqrt(count(*)) AS margin
    FROM seats
    GROUP BY name, bot
)
SELECT
    rank() OVER (ORDER BY points DESC) AS rank,
    name, games, points, wins, faults,
    round(per_game, 4) AS points_per_game,
    round(per_game - margin, 4) AS low,
    round(per_game + margin, 4) AS high,
    bot
FROM bots
ORDER BY points DESC, per_game DESC, name, bot;
