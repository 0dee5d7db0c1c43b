-- One row per player and game of an imported transcript that ends with credits that the rules do
-- not allow.
--   expected: The credits that the rules allow, as values and ranges, the nearest first.
--   arithmetic: The calculation of the nearest of them.
CREATE VIEW bank_heist_seen_wrong AS
WITH judged AS (
    SELECT
        *, bool_or(fits) OVER (PARTITION BY log, game, seat) AS possible
    FROM bank_heist_seen_outcomes
),
-- One row per range.
ends AS (
    SELECT DISTINCT ON (log, game, seat, least_end, most_end) *
    FROM judged WHERE NOT possible
    ORDER BY log, game, seat, least_end, most_end, bank, pay, succeeds, exposed, gain
),
compared AS (
    SELECT
        log, game, seat, ends.* EXCLUDE (log, game, seat, match, seq),
        seen.* EXCLUDE (log, game, seat),
        greatest(least_end - after, after - most_end, 0) AS distance,
        if(least_end = most_end, '' || least_end, least_end || ' to ' || most_end) AS end_,
        CASE
            WHEN NOT staying THEN before || ''
            WHEN action = 'all in' THEN 'a stake of ' || (before + 240) || ' at bank ' || bank
                || if(succeeds, ', won', ', lost')
            ELSE before || ' - ' || bet || ' bet'
                || if(succeeds, ', won at bank ' || bank, ', lost')
                || if(exposed, ', - ' || quarter || ' exposed', '')
                || CASE
                    WHEN gain.most = 0 THEN ''
                    WHEN gain.least = gain.most THEN ', + ' || gain.least || ' by the finger'
                    ELSE ', + ' || gain.least || ' to ' || gain.most || ' by the finger'
                END
        END || if(pay > 0, ', + ' || pay || ' salary', '')
            || if(bribes > 0, ', - ' || bribes || ' bribes', '') AS way
    FROM ends
    JOIN bank_heist_seen AS seen USING (log, game, seat)
)
SELECT
    log, match, seq, game, seat, any_value(action) AS action, any_value(verdict) AS verdict,
    any_value(staying) AS staying, any_value(crosser) AS crosser, any_value(straight) AS straight,
    any_value(after) AS after,
    array_to_string(list(end_ ORDER BY distance, least_end)[:8], ', ')
        || if(count(*) > 8, ' and ' || (count(*) - 8) || ' more', '') AS expected,
    -- Who has credits left after going all in cannot have lost.
    arg_min(
        way || ': ' || end_,
        (action = 'all in' AND NOT succeeds AND after > 0, distance, least_end)
    ) AS arithmetic
FROM compared
GROUP BY log, match, seq, game, seat;
