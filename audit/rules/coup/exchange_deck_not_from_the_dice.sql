-- clause: CP-15
-- severity: error
-- The deck after an Exchange is not what the reshuffle gives.
SELECT log, effect.match, effect.seq, due AS expected, deck AS found
FROM (
    SELECT
        event.*,
        coup_shuffled(seed, 'call/' || call || '/shuffle', deck_before || returned) AS due
    FROM coup_effects AS event
    JOIN (SELECT log, seed FROM matches WHERE seed IS NOT NULL) USING (log)
    WHERE type = 'cards_exchanged'
) AS effect
WHERE deck <> due;
