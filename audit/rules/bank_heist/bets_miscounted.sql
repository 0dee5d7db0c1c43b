-- clause: BH-7
-- severity: error
-- The number of heisters or the sum of their bets does not agree with the bets.
SELECT
    log, match, closed.seq AS seq,
    heisters || ' heisters with ' || total AS expected,
    closed.heisters || ' heisters with ' || closed.total AS found
FROM bank_heist_games
WHERE (closed.heisters, closed.total) <> (heisters, total);
