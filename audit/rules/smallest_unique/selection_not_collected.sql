-- clause: SU-2
-- severity: error
-- A bot failed to select, but the log does not record a reply for every seat.
SELECT
    log, games.match, games.seq,
    'replies of the seats ' || shown(range(seats)) AS expected, shown(replied) AS found
FROM smallest_unique_games AS games
JOIN (
    SELECT log, list(seat ORDER BY seat) AS replied
    FROM smallest_unique_replies
    WHERE ask = 'select'
    GROUP BY log
) USING (log)
WHERE step = 'select' AND replied <> range(seats);
