-- clause: BH-5
-- severity: error
-- A table does not rank all players by credits, with equal credits in the order of the previous
-- table.
WITH tables AS (
    SELECT
        log, match, seq, number, ranking, credits,
        lag(ranking) OVER (PARTITION BY log ORDER BY seq) AS previous
    FROM bank_heist_credits_seen
    WHERE log IN (SELECT log FROM matches WHERE source = 'imported')
),
due AS (
    SELECT
        log, match, seq, number, ranking, previous,
        list_transform(
            list_sort([
                {
                    least: -credits[seat + 1],
                    -- The first table may have equals in any order.
                    place: list_position(coalesce(previous, ranking), seat),
                    seat: seat
                } FOR seat IN range(len(credits))
            ]),
            lambda one: one.seat
        ) AS order_
    FROM tables
)
SELECT log, match, seq, shown(order_) AS expected, shown(ranking) AS found, number AS game
FROM due WHERE ranking <> order_;
