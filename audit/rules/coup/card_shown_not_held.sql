-- clause: CP-7
-- severity: error
-- A challenged player showed a card that it did not hold.
SELECT
    log, match, seq,
    'a card given up, of the hand ' || hand AS expected, shown(appended) AS found
FROM coup_calls
WHERE type = 'answered' AND coup_shows(appended) AND NOT contains(hand, appended);
