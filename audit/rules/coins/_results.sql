-- The result that every match must have, after the centre is empty or after the last round.
--   rounds: Number of rounds that the settings allow.
--   seats: Number of players.
--   turns: Number of turns played.
--   due: The reason for which it had to end; NULL if it had to go on.
--   due_points: The points that the last turn's state comes to, by seat (CN-5).

-- CN-5: all who have the most points, by seat.
CREATE MACRO coins_best(points) AS
    [n - 1 FOR own, n IN points IF own = list_max(points)];

-- CN-5: at the end each coin counts again.
CREATE MACRO coins_counting(points, unflipped, flipped) AS
    [own - unflipped[n] + 2 * flipped[n] FOR own, n IN points];

CREATE VIEW coins_results AS
WITH ends AS (
    SELECT
        log, count(*) AS turns,
        max_by({
            centre: centre, unflipped: unflipped::HUGEINT[], flipped: flipped::HUGEINT[],
            points: points::HUGEINT[]
        }, seq) AS state
    FROM coins_acted
    GROUP BY log
)
SELECT
    log, match, finished AS seq, reason,
    (settings->>'rounds')::BIGINT AS rounds, len(players) AS seats, coalesce(turns, 0) AS turns,
    CASE
        WHEN state.centre = 0 THEN 'centre_empty'
        WHEN turns >= seats * rounds THEN 'rounds_played'
    END AS due,
    coins_counting(state.points, state.unflipped, state.flipped) AS due_points
FROM matches
LEFT JOIN ends USING (log)
WHERE game = 'coins';
