-- clause: BH-8
-- severity: error
-- A player was asked for something other than a bet in round 1 or an action in round 2.
SELECT
    log, decisions.match, decisions.seq,
    if(decisions.seq < closed.seq, 'bet', 'action') AS expected, ask AS found
FROM bank_heist_decisions AS decisions
LEFT JOIN (SELECT log, game, closed FROM bank_heist_games) USING (log, game)
WHERE ask NOT IN ('bet', 'action') OR found <> expected;
