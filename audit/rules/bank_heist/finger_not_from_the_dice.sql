-- clause: BH-20
-- severity: error
-- The eight seats that a finger drew are not the ones that the dice give, from the staying players
-- by seat.
WITH staying AS (
    SELECT log, game, list(seat ORDER BY seat) AS seats
    FROM bank_heist_settled WHERE staying GROUP BY ALL
)
SELECT
    log, settled.match, fingered.seq AS seq,
    shown([
        seats[1 + die_below(seed, label || k, len(seats))::BIGINT] FOR k IN range(8)
    ]) AS expected,
    shown(fingered.drawn) AS found
FROM (
    SELECT *, 'game/' || game || '/finger/' || seat || '/' AS label FROM bank_heist_settled
) AS settled
JOIN staying USING (log, game)
JOIN (SELECT log, seed FROM matches) USING (log)
WHERE fingered IS NOT NULL AND found <> expected;
