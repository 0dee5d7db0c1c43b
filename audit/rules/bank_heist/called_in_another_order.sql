-- clause: BH-4
-- severity: error
-- The players were not called in the order that the dice give for the round.
WITH rounds AS (
    SELECT 'bet' AS ask, log, game, seat, place FROM bank_heist_round1 WHERE seat IS NOT NULL
    UNION ALL
    SELECT 'action', log, game, seat, place FROM bank_heist_round2 WHERE seat IS NOT NULL
)
SELECT
    log, match, min(seq) AS seq,
    'seats ' || shown(list(seat ORDER BY place, seq)) AS expected,
    'seats ' || shown(list(seat ORDER BY seq)) AS found
FROM bank_heist_decisions
JOIN rounds USING (log, game, seat, ask)
GROUP BY log, match, game, ask
HAVING found <> expected;
