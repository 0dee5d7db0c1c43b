-- clause: CN-1
-- severity: error
-- The coins were not laid out exactly once, directly after the start.
SELECT
    log, match, min(laid_out.seq) AS seq,
    'laid out at seq 1 alone' AS expected,
    if(
        count(laid_out.seq) = 0, 'never',
        'laid out at seq ' || shown(list(laid_out.seq ORDER BY laid_out.seq))
    ) AS found
FROM (SELECT log, match FROM matches WHERE game = 'coins')
LEFT JOIN (SELECT log, seq FROM coins_laid_out) AS laid_out USING (log)
GROUP BY log, match
HAVING list(laid_out.seq) IS DISTINCT FROM [1];
