-- Smallest Unique Number: wins by games played, highest first (SU-6), by bot: a name with the hash
-- of its files. low and high are the 95 % interval of the rate after Wilson. Void games count for
-- nothing but the disqualifications in them (SU-9).
WITH seats AS (
    SELECT
        name, bot, score, won,
        void OR reason = 'void' AS void,
        (settings->>'rounds')::BIGINT AS rounds,
        seat IN (SELECT seat FROM faults WHERE faults.log = players.log) AS disqualified
    FROM players
    JOIN (SELECT log, reason, settings FROM matches) USING (log)
    WHERE game = 'smallest_unique'
),
bots AS (
    SELECT
        name, bot,
        count(*) FILTER (NOT void) AS games,
        count(*) FILTER (won AND NOT void) AS wins,
        sum(score) FILTER (NOT void) / sum(rounds) FILTER (NOT void) AS per_round,
        count(*) FILTER (disqualified) AS disqualifications,
        wins / nullif(games, 0) AS rate,
        1.959964 AS z
    FROM seats
    GROUP BY name, bot
)
SELECT
    -- Exact: fractions with denominators below 2^32 differ by more than 2^-64.
    if(games = 0, NULL, rank() OVER (
        ORDER BY wins::HUGEINT * 18446744073709551616 // nullif(games, 0) DESC NULLS LAST
    )) AS rank,
    name, games, wins, round(rate, 4) AS rate,
    round((rate + z*z / (2*games) - z * sqrt(
        rate * (1 - rate) / games + z*z / (4*games*games)
    )) / (1 + z*z / games), 4) AS low,
    round((rate + z*z / (2*games) + z * sqrt(
        rate * (1 - rate) / games + z*z / (4*games*games)
    )) / (1 + z*z / games), 4) AS high,
    round(per_round, 4) AS points_per_round,
    disqualifications, bot
FROM bots
ORDER BY rank NULLS LAST, games DESC, name, bot;
