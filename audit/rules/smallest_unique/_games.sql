-- Every match: its number of rounds, the score of each seat, and the step that failed.
--   seats: Number of bots in a game.
--   due_rounds: Number of rounds in the settings.
--   rounds: Number of rounds played.
--   points: The rounds that each seat won, by seat.
--   faults: Number of bots that failed.
--   step: The step that failed: construct, update or select; NULL if none did.

-- SU-3: how often each number was selected, 11 bits a number from bit 11 on, which is enough
-- for the 1,000 bots that a game may have (2 to the 11th, the 22nd, …); what is no legal choice is
-- left out.
CREATE MACRO smallest_unique_counts(choices) AS list_sum(list_select(
    [2048, 4194304, 8589934592, 17592186044416, 36028797018963968, 73786976294838206464,
     151115727451828646838272, 309485009821345068724781056, 633825300114114700748351602688,
     1298074214633706907132624082305024]::HUGEINT[],
    choices
));

-- SU-3: the numbers selected just once have the highest of their 11 bits set (a count that differs
-- from 1 in no bit borrows when 1 is taken away). The lowest is right; those above it may not be.
CREATE MACRO smallest_unique_once(counts) AS
    (xor(counts, 1298708349570020393652962442872832::HUGEINT) - 1298708349570020393652962442872832::HUGEINT)
    & ~xor(counts, 1298708349570020393652962442872832::HUGEINT)
    & 1329877349959700883100633541501779968::HUGEINT;

-- SU-3: the smallest of them, NULL if there is none.
CREATE MACRO smallest_unique_number(once) AS nullif(bit_count((once & -once) - 1), 128) // 11;

-- SU-3: the seat that scores, NULL if no number is unique.
CREATE MACRO smallest_unique_winner(choices) AS list_position(
    choices, smallest_unique_number(smallest_unique_once(smallest_unique_counts(choices)))
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
