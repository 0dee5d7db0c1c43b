-- clause: CP-14
-- severity: error
-- The hands, the deck, the offered and the lost cards are not the 15 cards of the game, or a lost card came back.
SELECT DISTINCT ON (log)
    log, match, last_seq AS seq,
    '~~~^^^***!!!$$$' AS expected,
    'hands ' || array_to_string(hands_before, ' and ') || ', deck ' || deck_before
        || ', offered ' || offered_before || ', lost ' || lost_before AS found
FROM (SELECT *, lag(seq) OVER (PARTITION BY log ORDER BY seq) AS last_seq FROM coup_before)
WHERE sorted(
    hands_before[1] || hands_before[2] || deck_before || offered_before || lost_before
) <> sorted('~~~^^^***!!!$$$')
ORDER BY log, seq;
