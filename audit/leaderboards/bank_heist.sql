-- Bank Heist: the sum of final credits, most first (BH-5), by bot: a name with the hash of its
-- files. heists are those in which it stayed. low and high are the 95 % interval of its credits per
-- match, after Student; that takes two matches, for within one the final credits are one outcome,
-- however many games led there.
WITH fates AS (
    SELECT
        log,
        unnest(range(length(player_fates))) AS seat,
        unnest(string_split(player_fates, '')) AS fate
    FROM bank_heist_heist_rolled
),
heists AS (
    SELECT
        log, seat,
        count(*) FILTER (fate IN ('s', 'f')) AS heists,
        count(*) FILTER (fate = 's') AS successes
    FROM fates
    GROUP BY ALL
),
failures AS (
    SELECT log, seat, count(*) AS faults FROM faults GROUP BY ALL
),
bots AS (
    SELECT
        name, bot,
        count(*) AS matches,
        sum(score) AS credits,
        avg(score) AS mean,
        stddev_samp(score) / sqrt(matches) AS error,
        matches - 1 AS n,
        -- The 97.5 % point of Student's distribution with n degrees of freedom: the first five as
        -- tabulated, the others after Cornish and Fisher, to 0.002.
        coalesce(
            [12.7062, 4.3027, 3.1824, 2.7764, 2.5706][n],
            1.959964 + 2.3723 / n + 2.8225 / (n * n) + 2.5559 / (n * n * n)
        ) AS t,
        count(*) FILTER (won) AS wins,
        coalesce(sum(heists.heists), 0)::BIGINT AS heists,
        coalesce(sum(heists.successes), 0)::BIGINT AS successes,
        coalesce(sum(failures.faults), 0)::BIGINT AS faults
    FROM players
    LEFT JOIN heists USING (log, seat)
    LEFT JOIN failures USING (log, seat)
    WHERE game = 'bank_heist'
    GROUP BY name, bot
)
SELECT
    rank() OVER (ORDER BY credits DESC) AS rank,
    name, matches, credits, wins, heists, successes, faults,
    round(mean, 1) AS credits_per_match,
    if(matches > 1, round(greatest(0, mean - t * error), 1), NULL) AS low,
    round(mean + t * error, 1) AS high,
    bot
FROM bots
ORDER BY credits DESC, wins DESC, name, bot;
