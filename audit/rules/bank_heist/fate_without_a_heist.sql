-- clause: BH-11
-- severity: error
-- The players recorded as backing out are not exactly those that did, or a player rolled without a
-- bet or did not roll.
SELECT
    log, match, rolled.seq AS seq,
    'players ' || string_agg(CASE
        WHEN NOT heister THEN '.'
        WHEN action = 'back out' THEN 'o'
        WHEN fate IN ('s', 'f') THEN fate
        ELSE '?'
    END, '' ORDER BY seat) AS expected,
    'players ' || rolled.players AS found
FROM bank_heist_settled
JOIN (SELECT log, game, rolled FROM bank_heist_games WHERE rolled IS NOT NULL) USING (log, game)
GROUP BY log, match, game, rolled
HAVING found <> expected;
