-- clause: CP-13
-- severity: error
-- The card that went back is not the card that was shown, or belonged to another player.
SELECT
    log, match, seq,
    reply || ' of seat ' || caller AS expected, card || ' of seat ' || seat AS found
FROM coup_effects
WHERE type = 'card_replaced' AND (card <> reply OR seat <> caller);
