-- clause: CP-5
-- severity: error
-- A player gave up a card that it did not hold.
SELECT
    log, match, seq,
    'a card of the hand ' || hand AS expected, shown(appended) AS found
FROM coup_calls
WHERE type = 'answered' AND coup_gives_up(appended)
    AND NOT contains(hand, coup_card(appended[1]));
