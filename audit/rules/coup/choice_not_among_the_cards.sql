-- clause: CP-15
-- severity: error
-- A choice was accepted that is not as many cards as the hand has, from the offered and held cards.
SELECT
    log, match, seq,
    length(hand) || ' of the cards ' || offered || hand AS expected, shown(output) AS found
FROM coup_calls
WHERE type = 'answered' AND question = 'exchange'
    AND (output IS NULL OR NOT coup_is_choice(output, offered, hand));
