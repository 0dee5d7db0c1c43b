-- Every turn: the seat that had to act, the recorded state before it, and `due`, the state after its
-- three actions. Lists are by seat; `turn` counts from 1.
--   seats: Number of players.
--   turn_order: The seats in turn order.
--   next: By seat, whose piles it gets when all move with R.
--   previous: By seat, whose piles it gets when all move with T.
--   turn: The turn's number in the match, from 1.
--   before: The state before the turn.
--   due_seat: The seat whose turn it had to be.
--   due_round: The round that it had to be.
--   due: The state that the actions lead to.

-- CN-4: what each coin of an action brings to the centre, to the player's unflipped and flipped
-- coins, and to its points; where it takes one away, no more can be used than are there.
CREATE MACRO coins_effect(action) AS CASE
    WHEN action IN ('1', '2', '3') THEN {centre: -1, unflipped: 1, flipped: 0, points: -1}
    WHEN action IN ('A', 'B', 'C') THEN {centre: 1, unflipped: -1, flipped: 0, points: 1}
    WHEN action IN ('X', 'Y', 'Z') THEN {centre: 0, unflipped: -1, flipped: 0, points: 0}
    WHEN action = 'F' THEN {centre: 0, unflipped: -1, flipped: 1, points: 2}
    WHEN action = 'U' THEN {centre: 0, unflipped: 1, flipped: -1, points: -2}
END;

-- CN-4: how many coins an action asks for.
CREATE MACRO coins_asked(action) AS CASE
    WHEN action IN ('1', 'A', 'X', 'F', 'U') THEN 1
    WHEN action IN ('2', 'B', 'Y') THEN 2
    WHEN action IN ('3', 'C', 'Z') THEN 3
    ELSE 0
END;

-- CN-4: the actions of a seat, one by one, each with what it asks for and what a coin of it brings.
CREATE MACRO coins_steps(seat, actions) AS [
    {seat: seat, action: action, asked: coins_asked(action), each: coins_effect(action)}
    FOR action IN characters(actions)
];

-- CN-4: as many coins as are asked for, or as there are.
CREATE MACRO coins_used(state, step) AS least(step.asked, CASE
    WHEN step.each.centre < 0 THEN state.centre
    WHEN step.each.unflipped < 0 THEN state.unflipped[step.seat + 1]
    WHEN step.each.flipped < 0 THEN state.flipped[step.seat + 1]
END);

-- CN-4: by seat, whose pile each player gets when all piles move: with R the next player's in turn
-- order, with T the previous one's.
CREATE MACRO coins_givers(turn_order, action) AS [
    turn_order[
        (list_position(turn_order, seat) + if(action = 'R', 0, len(turn_order) - 2))
        % len(turn_order) + 1
    ] FOR seat IN range(len(turn_order))
];

-- A list by seat with something added for one seat.
CREATE MACRO coins_added(by_seat, seat, more) AS
    [if(n = seat + 1, one + more, one) FOR one, n IN by_seat];

-- A state at the start of a game. Wider than a log's integers, so that no sum overflows.
CREATE MACRO coins_state(centre, unflipped, flipped, points) AS {
    centre: centre::HUGEINT, unflipped: unflipped::HUGEINT[],
    flipped: flipped::HUGEINT[], points: points::HUGEINT[]
};

-- CN-4: the state after some steps, one after the other.
CREATE MACRO coins_after(before, steps, next, previous) AS list_reduce(
    steps,
    lambda state, step: CASE WHEN step.action IN ('R', 'T') THEN {
        centre: state.centre,
        unflipped: [
            state.unflipped[giver + 1]
            FOR giver IN if(step.action = 'R', next, previous)
        ],
        flipped: [
            state.flipped[giver + 1]
            FOR giver IN if(step.action = 'R', next, previous)
        ],
        points: [
            state.points[n] - state.unflipped[giver + 1] + 2 * state.flipped[giver + 1]
            FOR giver, n IN if(step.action = 'R', next, previous)
        ]
    } WHEN step.asked > 0 THEN {
        centre: state.centre + coins_used(state, step) * step.each.centre,
        unflipped: coins_added(
            state.unflipped, step.seat, coins_used(state, step) * step.each.unflipped
        ),
        flipped: coins_added(
            state.flipped, step.seat, coins_used(state, step) * step.each.flipped
        ),
        points: coins_added(
            state.points, step.seat, coins_used(state, step) * step.each.points
        )
    } ELSE state END,
    before
);

CREATE VIEW coins_turns AS
WITH laid_out AS (
    SELECT DISTINCT ON (log)
        log, "order"[:60] AS turn_order, centre,  -- CN-1: no game has more seats
        coins_givers(turn_order, 'R') AS next, coins_givers(turn_order, 'T') AS previous
    FROM coins_laid_out
    ORDER BY log, seq
),
turns AS (
    SELECT
        acted.*, len(players) AS seats, turn_order, next, previous,
        row_number() OVER so_far AS turn,
        coins_state(
            lag(acted.centre, 1, laid_out.centre) OVER so_far,
            lag(unflipped, 1, [0 FOR player IN players]) OVER so_far,
            lag(flipped, 1, [0 FOR player IN players]) OVER so_far,
            lag(points, 1, [0 FOR player IN players]) OVER so_far
        ) AS before
    FROM coins_acted AS acted
    JOIN (SELECT log, players FROM matches) USING (log)
    LEFT JOIN laid_out USING (log)
    WINDOW so_far AS (PARTITION BY log ORDER BY seq)
),
acted AS (
    SELECT *, coins_after(before, coins_steps(seat, actions), next, previous) AS reached
    FROM turns
)
SELECT
    * EXCLUDE reached,
    -- CN-1, CN-3: round after round, in the turn order.
    turn_order[(turn - 1) % seats + 1] AS due_seat,
    (turn - 1) // seats + 1 AS due_round,
    -- DuckDB 1.4, as in browsers, adds the fields of a step to the state.
    {
        centre: reached.centre, unflipped: reached.unflipped, flipped: reached.flipped,
        points: reached.points
    } AS due
FROM acted;
