-- Smallest Unique Number: wins by games played, highest first (SU-6), by bot: a name with the hash
-- of its files. Of void games only the disqualifications count (SU-9).
-- low and high: the 95 % Wilson interval of the rate.
WITH bots AS (
    SELECT
        name, bot,
        count(*) FILTER (counts) AS games,
        count(*) FILTER (won AND counts) AS wins,
        sum(score) FILTER (counts) / sum((settings->>'rounds')::BIGINT) FILTER (counts) AS per_round,
        count(*) FILTER (failed) AS disqualifications,
        wins / nullif(games, 0) AS rate
    FROM seats()
    WHERE game = 'smallest_unique' AND ranked
    GROUP BY name, bot
)
SELECT
    -- Exact: fractions with denominators below 2^32 differ by more than 2^-64.
    if(games = 0, NULL, rank() OVER (
        ORDER BY wins::HUGEINT * 18446744073709551616 // nullif(games, 0) DESC NULLS LAST
    )) AS rank,
    name, games, wins, round(rate, 4) AS rate,
    round(wilson_low(rate, games), 4) AS low,
    round(wilson_high(rate, games), 4) AS high,
    round(per_round, 4) AS points_per_round,
    disqualifications, bot
FROM bots
ORDER BY rank NULLS LAST, games DESC, name, bot;
