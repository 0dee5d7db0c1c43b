-- clause: CN-1
-- severity: error
-- The turn order does not contain every seat exactly once.
SELECT
    log, laid_out.match, laid_out.seq,
    'each of ' || shown(range(len(players))) || ' once' AS expected, shown("order") AS found
FROM coins_laid_out AS laid_out
JOIN (SELECT log, players FROM matches) USING (log)
WHERE list_sort("order") <> range(len(players));
