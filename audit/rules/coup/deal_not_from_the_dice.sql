-- clause: CP-1
-- severity: error
-- The hands and the deck are not the ones that the dice give.
SELECT
    log, dealt.match, dealt.seq,
    'hands ' || left(due, 2) || ' and ' || due[3:4] || ', deck ' || due[5:] AS expected,
    'hands ' || array_to_string(hands, ' and ') || ', deck ' || deck AS found
FROM (
    SELECT log, seed, coup_shuffled(seed, 'deck', '~~~^^^***!!!$$$') AS due
    FROM matches WHERE game = 'coup' AND seed IS NOT NULL
)
JOIN coup_dealt AS dealt USING (log)
WHERE [hands[1], hands[2], deck] <> [left(due, 2), due[3:4], due[5:]] OR len(hands) <> 2;
