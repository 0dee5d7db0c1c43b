-- Every reshuffle after the deal, with the deck as the dice give it (`due`): CP-13, CP-15.
--   due: The deck that the dice give.
CREATE VIEW coup_reshuffles AS
SELECT
    event.*,
    coup_shuffled(
        seed, 'call/' || call || '/shuffle', deck_before || coalesce(returned, card)
    ) AS due
FROM coup_effects AS event
JOIN (SELECT log, seed FROM matches WHERE seed IS NOT NULL) USING (log)
WHERE type IN ('card_replaced', 'cards_exchanged');
