-- clause: CN-2
-- severity: error
-- The centre does not start with the coins that the dice give.
SELECT log, laid_out.match, laid_out.seq, due || ' coins' AS expected, centre || ' coins' AS found
FROM (
    SELECT
        log, len(players)::HUGEINT AS n,
        (1::HUGEINT << n) + 10 * n - die_below(seed, 'centre', n * n + 1) AS due
    FROM matches
    WHERE game = 'coins' AND seed IS NOT NULL
)
JOIN coins_laid_out AS laid_out USING (log)
WHERE centre <> due;
