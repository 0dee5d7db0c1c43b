-- clause: BH-1
-- severity: error
-- A game's number does not follow the previous one, or its table of credits is missing or repeated.
WITH starts AS (
    SELECT
        log, match, seq, number,
        lag(number, 1, number - 1) OVER (PARTITION BY log ORDER BY seq) + 1 AS due,
        lead(seq, 1, 9223372036854775807) OVER (PARTITION BY log ORDER BY seq) AS next
    FROM bank_heist_game_started
)
SELECT
    starts.log, starts.match, starts.seq, 'game ' || due || ', tables: 1' AS expected,
    'game ' || starts.number || ', tables: ' || count(seen.seq) AS found, starts.number AS game
FROM starts
JOIN (SELECT log FROM matches WHERE source = 'imported') USING (log)
LEFT JOIN bank_heist_credits_seen AS seen
    ON seen.log = starts.log AND seen.seq BETWEEN starts.seq AND next
GROUP BY starts.log, starts.match, starts.seq, starts.number, due, next
-- A transcript may break off within its last game.
HAVING starts.number <> due OR count(seen.seq) > 1
    OR count(seen.seq) = 0 AND next < 9223372036854775807;
