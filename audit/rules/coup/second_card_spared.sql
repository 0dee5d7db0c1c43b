-- clause: CP-12
-- severity: error
-- The victim of an assassination challenged wrongly or blocked falsely, but kept a card.
SELECT
    log, match, seq,
    'both cards lost, of the hand ' || hand AS expected, shown(effects) AS found
FROM coup_calls
WHERE type = 'answered' AND line IN ('Aq^', 'Asq') AND coup_gives_up(appended)
    AND coup_times(effects, 'card_lost') = 1 AND length(hand) = 2;
