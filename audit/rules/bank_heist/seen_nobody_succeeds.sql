-- clause: BH-9
-- severity: error
-- Beside a large rabble nobody succeeded in the heist, in more games than chance can explain.
WITH
-- A lone crosser that nobody exposes takes all that the straights win (BH-23). Where it certainly
-- took nothing, all straights failed, those of the rabble included.
--
-- By the rules this has a probability of at most 1 in 20 in a game with 100 members of the rabble
-- or more, of which at most 5 players back out, whatever the players do and know. Each member bets
-- with a probability of 0.324 or more (BH-28). It stays more probably than if those 5 had backed
-- out before all others (BH-29). If it stays, it succeeds with 0.324 times f or more. The test of
-- this rule computes the bound.
--
-- The games are independent. So the probability of `nobody` games or more out of `games` is at most
-- that of a binomial distribution, for which Chernoff's bound is
-- exp(-games * (x * ln(x / p) + (1 - x) * ln((1 - x) / (1 - p)))), x = nobody / games, p = 1 / 20.
-- It is a violation below 1 in 10^9. `games` are all games with such a rabble, so that it does not
-- matter when somebody chooses to double cross.
took AS (
    SELECT log, game, seat, bool_or(exposed) AS exposed, max(most_share) AS most
    FROM bank_heist_seen_outcomes
    WHERE fits
    GROUP BY ALL
),
nothing AS (
    SELECT log, game
    FROM took
    JOIN bank_heist_seen AS seen USING (log, game, seat)
    WHERE crosser AND crossers = 1 AND verdict = 'succeeded' AND NOT exposed AND most = 0
),
judged AS (
    SELECT
        log, any_value(match) AS match, count(*) AS games,
        count(*) FILTER (backed_out <= 5 AND nothing.log IS NOT NULL) AS nobody,
        min(seq) FILTER (nothing.log IS NOT NULL) AS seq, nobody / games AS x
    FROM (
        SELECT
            log, game, any_value(match) AS match, any_value(seq) AS seq,
            count(*) FILTER (action = 'back out') AS backed_out
        FROM bank_heist_seen
        WHERE rabble >= 100
        GROUP BY ALL
    )
    LEFT JOIN nothing USING (log, game)
    GROUP BY log
)
SELECT
    log, match, seq,
    'about ' || games // 20 || ' of ' || games || ' games or fewer' AS expected,
    nobody || ' of ' || games || ' games, with a probability below 10^-'
        || floor(exponent / ln(10))::BIGINT AS found
FROM judged, LATERAL (
    SELECT games * (x * ln(x * 20) + if(x < 1, (1 - x) * ln((1 - x) / 0.95), 0)) AS exponent
)
WHERE x > 0.05 AND exponent > 9 * ln(10);
