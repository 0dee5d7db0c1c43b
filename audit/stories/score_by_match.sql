-- title: Mean score, match by match
-- kind: lines
-- x: matches of the bot
-- y: mean score so far
-- The mean of a bot's scores over its matches so far, in their order.
SELECT
    name AS series,
    row_number() OVER own AS x,
    avg(score) OVER own AS y
FROM seats()
WHERE counts AND score IS NOT NULL
WINDOW own AS (
    PARTITION BY name
    ORDER BY attempt_of(match), TRY_CAST(split_part(match, '-', 2) AS BIGINT), log, seat
    ROWS UNBOUNDED PRECEDING
)
ORDER BY series, x;
