-- Every event of a match that was played, with the game in which it stands: `game` counts the
-- games begun so far, from 0, and is -1 above the first. An imported match has no dice, and often
-- not every event, so that these rules have nothing to hold against it.
--   game: The number of the game in its match, from 0; -1 above the first.
CREATE VIEW bank_heist_course AS
WITH starts AS (
    SELECT log, seq, row_number() OVER (PARTITION BY log ORDER BY seq) - 1 AS game
    FROM bank_heist_game_started
)
SELECT events.log, events.match, events.seq, type, coalesce(starts.game, -1) AS game
FROM events
ASOF LEFT JOIN starts ON starts.log = events.log AND events.seq >= starts.seq
WHERE events.game = 'bank_heist' AND events.log IN (SELECT log FROM matches WHERE source IS NULL);
