-- Every recorded bet and action, with its game.
--   ask: The question: bet (round 1) or action (round 2).
--   bet: The bet; NULL in round 2.
--   action: The action; NULL in round 1.
CREATE VIEW bank_heist_done AS
SELECT log, course.match, course.game, seq, seat, 'bet' AS ask, bet, NULL AS action
FROM bank_heist_bet
JOIN bank_heist_course AS course USING (log, seq)
UNION ALL
SELECT log, course.match, course.game, seq, seat, 'action', NULL, action
FROM bank_heist_acted
JOIN bank_heist_course AS course USING (log, seq);
