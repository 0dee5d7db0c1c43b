-- Coup: points, most first (CP-20), by bot: a name with the hash of its files. A point is a match
-- won, so points per game are a share; low and high are its 95 % interval after Wilson.
WITH seats AS (
    SELECT
        name, bot, score,
        reason = 'drawn' AS drawn,
        seat IN (SELECT seat FROM faults WHERE faults.log = players.log) AS forfeited
    FROM players
    JOIN (SELECT log, reason FROM matches) USING (log)
    WHERE game = 'coup'
),
bots AS (
    SELECT
        name, bot,
        count(*) AS games,
        sum(score)::BIGINT AS points,
        count(*) FILTER (score = 1) AS wins,
        count(*) FILTER (drawn) AS draws,
        count(*) FILTER (score = 0 AND NOT drawn) AS losses,
        count(*) FILTER (forfeited) AS forfeits,
        points / games AS per_game,
        1.959964 AS z
    FROM seats
    GROUP BY name, bot
)
SELECT
    rank() OVER (ORDER BY points DESC) AS rank,
    name, games, points, wins, draws, losses, forfeits,
    round(per_game, 4) AS points_per_game,
    round((per_game + z*z / (2*games) - z * sqrt(
        per_game * (1 - per_game) / games + z*z / (4*games*games)
    )) / (1 + z*z / games), 4) AS low,
    round((per_game + z*z / (2*games) + z * sqrt(
        per_game * (1 - per_game) / games + z*z / (4*games*games)
    )) / (1 + z*z / games), 4) AS high,
    bot
FROM bots
ORDER BY points DESC, per_game DESC, name, bot;
