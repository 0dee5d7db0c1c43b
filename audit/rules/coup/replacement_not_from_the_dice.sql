-- clause: CP-13
-- severity: error
-- The card drawn, or the deck below it, is not what the reshuffle gives.
SELECT
    log, effect.match, effect.seq,
    left(due, 1) || ', deck ' || due[2:] AS expected, drawn || ', deck ' || deck AS found
FROM (
    SELECT
        event.*,
        coup_shuffled(seed, 'call/' || call || '/shuffle', deck_before || card) AS due
    FROM coup_effects AS event
    JOIN (SELECT log, seed FROM matches WHERE seed IS NOT NULL) USING (log)
    WHERE type = 'card_replaced'
) AS effect
WHERE [drawn, deck] <> [left(due, 1), due[2:]];
