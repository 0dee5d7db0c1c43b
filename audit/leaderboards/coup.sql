-- Coup: points, most first (CP-20), by bot: a name with the hash of its files.
-- low and high: the 95 % Wilson interval of points per game; a point is a game won, so points per
-- game are a share.
WITH bots AS (
    SELECT
        name, bot,
        count(*) AS games,
        sum(score)::HUGEINT AS points,
        count(*) FILTER (score = 1) AS wins,
        count(*) FILTER (reason = 'drawn') AS draws,
        count(*) FILTER (score = 0 AND reason <> 'drawn') AS losses,
        count(*) FILTER (failed) AS forfeits,
        points / games AS per_game
    FROM seats()
    WHERE game = 'coup' AND counts
    GROUP BY name, bot
)
SELECT
    rank() OVER (ORDER BY until_over(per_game) DESC, when_over(points) DESC) AS rank,
    name, games, points, wins, draws, losses, forfeits,
    round(per_game, 4) AS points_per_game,
    round(wilson_low(per_game, games), 4) AS low,
    round(wilson_high(per_game, games), 4) AS high,
    bot
FROM bots
ORDER BY rank, points DESC, per_game DESC, name, bot;
