-- clause: CN-2
-- severity: error
-- The centre starts with more or fewer coins than any dice can give.
SELECT
    log, laid_out.match, laid_out.seq,
    (most - n * n) || ' to ' || most || ' coins' AS expected, centre || ' coins' AS found
FROM (
    SELECT log, len(players)::HUGEINT AS n, (1::HUGEINT << n) + 10 * n AS most
    FROM matches WHERE game = 'coins'
)
JOIN coins_laid_out AS laid_out USING (log)
WHERE centre NOT BETWEEN most - n * n AND most;
