-- clause: CP-14
-- severity: error
-- The card that left the game is not the card that was given up, or belonged to another player.
SELECT
    log, match, seq,
    due || ' of seat ' || caller AS expected, card || ' of seat ' || seat AS found
FROM (
    -- CP-12: the second card is the one that is left.
    SELECT *, if(nth = 1, coup_card(reply[1]), hand_before) AS due
    FROM coup_effects
    WHERE type = 'card_lost' AND coup_gives_up(reply)
)
WHERE card <> due OR seat <> caller;
