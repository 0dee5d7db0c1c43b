-- Every event of a match that was played, with the number of its game. Imported matches are left
-- out, because they have no dice and often lack events.
--   game: The number of the game in its match, from 0; -1 before the first.
CREATE VIEW bank_heist_course AS
WITH starts AS (
    SELECT log, seq, row_number() OVER (PARTITION BY log ORDER BY seq) - 1 AS game
    FROM bank_heist_game_started
)
SELECT events.log, events.match, events.seq, type, coalesce(starts.game, -1) AS game
FROM events
ASOF LEFT JOIN starts ON starts.log = events.log AND events.seq >= starts.seq
WHERE events.game = 'bank_heist' AND events.log IN (SELECT log FROM matches WHERE source IS NULL);
