-- clause: CP-7
-- severity: error
-- A challenged player held the claimed card but gave up a card instead of showing it.
SELECT
    log, match, seq,
    shown(coup_claim(line[-2])) || ' of the hand ' || hand AS expected, shown(appended) AS found
FROM coup_calls
WHERE type = 'answered' AND line[-1] = 'q' AND contains(hand, coup_claim(line[-2]))
    AND coup_gives_up(appended);
