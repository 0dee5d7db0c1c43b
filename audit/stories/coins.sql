-- title: Points by round
-- kind: lines
-- x: round
-- y: points
-- The mean points of each player after a round, over all games. A game that ended keeps its points;
-- the point after the last round is the count (CN-5).
WITH rounds AS (
    SELECT log, round, arg_max(points, seq) AS points
    FROM coins_acted
    JOIN (SELECT log, settings FROM matches) USING (log)
    WHERE round <= (settings->>'rounds')::BIGINT  -- a forged log may have any number
    GROUP BY log, round
),
played AS (
    SELECT log, round, generate_subscripts(points, 1) - 1 AS seat, unnest(points) AS points
    FROM rounds
),
every AS (  -- round; of long games every second one, or fewer, so that a line has at most 400 points
    SELECT log, seat, name, unnest(range(1, last + 1, greatest(1, last // 200))) AS round
    FROM seats(), (SELECT max(round) AS last FROM rounds)
    WHERE counts
)
SELECT name AS series, every.round AS x, avg(points) AS y
FROM every
ASOF JOIN played
    ON every.log = played.log AND every.seat = played.seat AND every.round >= played.round
GROUP BY ALL
UNION ALL
SELECT name, (SELECT max(round) + 1 FROM rounds), avg(score)
FROM seats()
WHERE counts AND log IN (SELECT log FROM rounds)
GROUP BY name
ORDER BY series, x;
