-- clause: CP-16
-- severity: error
-- A hand holds the right cards in the wrong order.
SELECT log, match, seq, due AS expected, hand AS found
FROM (
    SELECT *, CASE type
        WHEN 'card_lost' THEN without(hand_before, card)
        WHEN 'card_replaced' THEN without(hand_before, card) || drawn
        WHEN 'cards_exchanged' THEN choice
    END AS due
    FROM coup_effects
)
WHERE hand <> due AND sorted(hand) = sorted(due);
