-- clause: CP-15
-- severity: error
-- The cards offered are not the top two of the deck, or were offered to the wrong player.
SELECT
    log, match, seq,
    left(deck_before, 2) || ' for seat ' || (1 - caller) || ', deck ' || deck_before[3:]
        AS expected,
    drawn || ' for seat ' || seat || ', deck ' || deck AS found
FROM coup_effects
WHERE type = 'cards_offered'
    AND (drawn <> left(deck_before, 2) OR deck <> deck_before[3:] OR seat <> 1 - caller);
