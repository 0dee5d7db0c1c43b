-- clause: BH-13
-- severity: error
-- The same amount moved twice in one step of the settlement.
SELECT
    log, match, seq, 'one movement' AS expected, 'another: ' || why || ', ' || what AS found
FROM bank_heist_moves
WHERE why <> 'guard_left' AND (why, what) <> ('finger', 'credits')
QUALIFY row_number() OVER (PARTITION BY log, game, seat, why, what, bank ORDER BY seq) > 1;
