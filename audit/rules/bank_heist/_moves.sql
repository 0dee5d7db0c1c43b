-- Every movement, with the game in which it stands.
CREATE VIEW bank_heist_moves AS
SELECT log, course.match, course.game, seq, seat, why, what, bank, before, after
FROM bank_heist_moved
JOIN bank_heist_course AS course USING (log, seq);
