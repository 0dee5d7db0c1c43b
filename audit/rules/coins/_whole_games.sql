-- The final points of every match, computed from the starting position and the actions alone.
--   points: By seat, at the end.
CREATE VIEW coins_whole_games AS
WITH games AS (
    SELECT
        log, match, any_value(next) AS next, any_value(previous) AS previous,
        coins_state(
            first(before.centre ORDER BY turn), [0 FOR n IN range(any_value(seats))],
            [0 FOR n IN range(any_value(seats))], [0 FOR n IN range(any_value(seats))]
        ) AS before,
        flatten(list(coins_steps(seat, actions) ORDER BY turn)) AS steps
    FROM coins_turns
    GROUP BY log, match
    -- Sorted, so that few blocks hold them: the cost of a block does not depend on its games.
    ORDER BY log
),
states AS (
    SELECT log, match, coins_after(before, steps, next, previous) AS state FROM games
)
SELECT
    log, match,
    coins_counting(state.points, state.unflipped, state.flipped) AS points
FROM states;
