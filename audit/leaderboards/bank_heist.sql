-- Bank Heist: the sum of final credits, most first (BH-5), by bot: a name with the hash of its
-- files. heists are those in which it stayed; NULL if an imported transcript does not record them.
-- low and high: the 95 % Student's t interval of credits per match; none for a single match, or if
-- all matches gave the same credits.
WITH fates AS (
    SELECT
        log,
        unnest(range(length(player_fates))) AS seat,
        unnest(string_split(player_fates, '')) AS fate
    FROM bank_heist_heist_rolled
    UNION ALL  -- an imported match
    SELECT log, seat, if(succeeded, 's', 'f') FROM bank_heist_heist_seen
),
heists AS (
    SELECT
        log, seat,
        count(*) FILTER (fate IN ('s', 'f')) AS heists,
        count(*) FILTER (fate = 's') AS successes
    FROM fates
    GROUP BY ALL
),
bots AS (
    SELECT
        name, bot,
        count(*) AS matches,
        sum(score) AS credits,
        avg(score) AS mean,
        student_margin(stddev_samp(score ORDER BY score), count(*)) AS margin,
        count(*) FILTER (won) AS wins,
        sum(coalesce(heists.heists, unseen))::BIGINT AS heists,
        sum(coalesce(heists.successes, unseen))::BIGINT AS successes,
        sum(faults)::BIGINT AS faults
    FROM (
        SELECT *, if(source IS NULL OR log IN (SELECT log FROM heists), 0, NULL) AS unseen
        FROM seats()
    )
    LEFT JOIN heists USING (log, seat)
    WHERE game = 'bank_heist' AND counts
    GROUP BY name, bot
)
SELECT
    rank() OVER (ORDER BY until_over(mean) DESC, when_over(credits) DESC) AS rank,
    name, matches, credits, wins, heists, successes, faults,
    round(mean, 1) AS credits_per_match,
    if(margin IS NULL, NULL, round(greatest(0, mean - margin), 1)) AS low,
    round(mean + margin, 1) AS high,
    bot
FROM bots
ORDER BY rank, credits DESC, wins DESC, name, bot;
