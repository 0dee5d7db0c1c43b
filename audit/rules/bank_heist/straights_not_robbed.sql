-- clause: BH-23
-- severity: error
-- After a cross that succeeded, the shares are not the straights' winnings per crosser and the
-- exposed crossers' forgone amount per straight.
WITH unmasked AS (
    SELECT log, game, count(*) AS exposed FROM bank_heist_settled WHERE exposed GROUP BY ALL
),
sums AS (
    SELECT
        log, match, shared,
        coalesce(exposed, 0) AS exposed,
        crossers - coalesce(exposed, 0) AS unexposed,
        shared.straights_sum::HUGEINT // crossers AS loot
    FROM bank_heist_games
    LEFT JOIN unmasked USING (log, game)
    WHERE verdict = 'succeeded'
)
SELECT
    log, match, shared.seq AS seq,
    'straights ' || coalesce(
        (exposed * loot + if(unexposed = 0, shared.pot, 0)) // nullif(shared.straights, 0),
        0
    ) || ', crossers ' || if(unexposed > 0, loot + shared.pot // unexposed, 0) AS expected,
    'straights ' || shared.straight_share || ', crossers ' || shared.crosser_share AS found
FROM sums
WHERE found <> expected;
