-- title: Points by round
-- kind: lines
-- x: round
-- y: points in a hundred rounds
-- Rounds won per hundred rounds at each stage of a game: a game is cut into twenty parts, and each
-- part is averaged over all games of the bot.
WITH rounds AS (
    SELECT
        log, winner AS seat,
        greatest(1, (settings->>'rounds')::BIGINT // 20) AS part,
        least(((round - 1) // part + 1) * part, (settings->>'rounds')::BIGINT) AS x
    FROM smallest_unique_round
    JOIN matches USING (log)
    WHERE round <= (settings->>'rounds')::BIGINT  -- a forged log may have any number
),
parts AS (
    SELECT log, x, count(*) AS rounds FROM rounds GROUP BY ALL
),
won AS (
    SELECT log, seat, x, count(*) AS points FROM rounds GROUP BY ALL
)
SELECT
    name AS series,
    parts.x AS x,
    100 * sum(coalesce(points, 0)) / sum(rounds) AS y
FROM seats() AS seats
JOIN parts USING (log)
LEFT JOIN won ON won.log = parts.log AND won.seat = seats.seat AND won.x = parts.x
WHERE counts
GROUP BY ALL
ORDER BY series, x;
