-- clause: CP-13
-- severity: error
-- The drawn card, or the deck below it, is not the one that the reshuffle gives.
SELECT
    log, match, seq,
    left(due, 1) || ', deck ' || due[2:] AS expected, drawn || ', deck ' || deck AS found
FROM coup_reshuffles
WHERE type = 'card_replaced' AND [drawn, deck] <> [left(due, 1), due[2:]];
