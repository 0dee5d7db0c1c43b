-- Every match: how many rounds it had, what each seat scored in them, and the step that failed.
--   seats: How many bots the game has.
--   due_rounds: How many rounds the settings say.
--   rounds: How many rounds were played.
--   points: The rounds that each seat won, by seat.
--   faults: How many bots failed.
--   step: The step that failed: construct, update or select; NULL if none did.

-- SU-3: which numbers were selected at all (bits 1 to 10) and more than once (bits 17 to 26); what
-- is no legal choice is left out.
CREATE MACRO smallest_unique_marks(choices) AS list_reduce(
    choices,
    lambda marks, choice: CASE
        WHEN choice BETWEEN 1 AND 10
            THEN marks | (1 << choice) | ((marks & (1 << choice)) << 16)
        ELSE marks
    END,
    0::BIGINT
);

-- SU-3: the numbers selected just once, a bit each; and the smallest of them, NULL if there is none.
CREATE MACRO smallest_unique_numbers(marks) AS marks & ~(marks >> 16) & 2046;
CREATE MACRO smallest_unique_number(numbers) AS
    nullif(bit_count((numbers & -numbers) - 1), 64);

-- SU-3: the seat that scores, NULL if no number is unique.
CREATE MACRO smallest_unique_winner(choices) AS list_position(
    choices, smallest_unique_number(smallest_unique_numbers(smallest_unique_marks(choices)))
) - 1;

-- SU-5: all who have the most points, by seat.
CREATE MACRO smallest_unique_best(scores) AS
    [n - 1 FOR own, n IN scores IF own = list_max(scores)];

-- SU-8, SU-9: the steps of a round in the order in which they are taken.
CREATE MACRO smallest_unique_step(ask) AS list_position(['construct', 'update', 'select'], ask);

CREATE VIEW smallest_unique_games AS
WITH won AS (
    SELECT log, smallest_unique_winner(choices) AS seat, count(*) AS rounds
    FROM smallest_unique_round
    GROUP BY ALL
),
rounds AS (
    SELECT
        log, sum(rounds)::BIGINT AS rounds,
        map_from_entries(list((seat, rounds)) FILTER (seat IS NOT NULL)) AS points
    FROM won
    GROUP BY log
),
failed AS (
    SELECT log, count(*) AS faults, arg_min(ask, smallest_unique_step(ask)) AS step
    FROM faults
    WHERE game = 'smallest_unique'
    GROUP BY log
)
SELECT
    log, match, finished AS seq, reason, scores, winners,
    len(players) AS seats, (settings->>'rounds')::BIGINT AS due_rounds,
    coalesce(rounds, 0) AS rounds,
    [coalesce(points[seat], 0) FOR seat IN range(len(players))] AS points,
    coalesce(faults, 0) AS faults, step
FROM matches
LEFT JOIN rounds USING (log)
LEFT JOIN failed USING (log)
WHERE game = 'smallest_unique';
