-- clause: CP-15
-- severity: error
-- The deck after an Exchange is not the one that the reshuffle gives.
SELECT log, match, seq, due AS expected, deck AS found
FROM coup_reshuffles
WHERE type = 'cards_exchanged' AND deck <> due;
