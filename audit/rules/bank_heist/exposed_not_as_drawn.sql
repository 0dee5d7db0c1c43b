-- clause: BH-20
-- severity: error
-- A finger did not expose exactly the crossers that it drew and that were not exposed before.
WITH crossers AS (
    SELECT log, game, list(seat) AS seats FROM bank_heist_settled WHERE crosser GROUP BY ALL
),
fingers AS (
    SELECT
        log, match, game, fingered,
        coalesce(flatten(list(fingered.exposed) OVER (
            PARTITION BY log, game ORDER BY place
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        )), []) AS earlier
    FROM bank_heist_settled
    WHERE fingered IS NOT NULL
)
SELECT
    log, match, fingered.seq AS seq,
    shown([
        seat FOR seat, n IN fingered.drawn
        IF list_contains(coalesce(seats, []), seat) AND NOT list_contains(earlier, seat)
            AND list_position(fingered.drawn, seat) = n
    ]) AS expected,
    shown(fingered.exposed) AS found
FROM fingers
LEFT JOIN crossers USING (log, game)
WHERE found <> expected;
