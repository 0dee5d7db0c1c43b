-- clause: BH-3
-- severity: error
-- An event names a seat without a player.
WITH named AS (
    SELECT log, match, seq, seat FROM bank_heist_decisions
    UNION ALL
    SELECT log, match, seq, seat FROM bank_heist_bet
    UNION ALL
    SELECT log, match, seq, seat FROM bank_heist_acted
    UNION ALL
    SELECT log, match, seq, seat FROM bank_heist_moved
    UNION ALL
    SELECT log, match, seq, seat FROM bank_heist_fingered
    UNION ALL
    SELECT log, match, seq, unnest(drawn || exposed) FROM bank_heist_fingered
)
SELECT DISTINCT
    log, named.match, seq, 'a seat below ' || players AS expected, 'seat ' || seat AS found
FROM named
JOIN (SELECT log, len(players) AS players FROM matches WHERE source IS NULL) USING (log)
WHERE seat >= players;
