-- clause: CN-4
-- severity: error
-- The count at the end is not the starting position changed by all actions of the game.
SELECT
    log, counted.match, counted.seq,
    shown(games.points) AS expected, shown(counted.points) AS found
FROM coins_counted AS counted
JOIN coins_whole_games AS games USING (log)
WHERE counted.points IS DISTINCT FROM games.points;
