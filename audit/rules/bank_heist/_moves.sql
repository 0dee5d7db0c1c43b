-- Every movement, with its game.
--   why: The step of the settlement that moved it (BH-13).
--   what: The kind of amount, such as credits or odds.
--   bank: The bank, from 0, of an account, of guards, a probability or odds.
--   before: The amount before, in credits, billionths or guards, or 1 if employed.
--   after: The amount after, in the same unit.
CREATE VIEW bank_heist_moves AS
SELECT log, course.match, course.game, seq, seat, why, what, bank, before, after
FROM bank_heist_moved
JOIN bank_heist_course AS course USING (log, seq);
