-- Every attempt of a tournament: the remaining entrants, the actual and required number of games,
-- and the reason for which it had to be voided (`due`), if any.
--   seq: The last line of the attempt.
--   seats: Number of bots in a game.
--   at_least: Number of games that every bot needs (SU-7).
--   fewest: Number of games of the bot with the fewest.
--   faulty: The number of the first game with a fault, from 0; NULL if there is none.
--   reason: Why the log says that the attempt is void; NULL if it does not.
--   remaining: The entrants that are not disqualified.
--   games: Number of games played.
--   due_games: Number of games that had to be played.
--   due: Why the attempt had to be void; NULL if it had to count.
CREATE VIEW smallest_unique_attempts AS
WITH settings AS (
    SELECT
        log, len(entrants) AS entrants,
        (settings->>'seats')::BIGINT AS seats,
        (settings->>'games_per_entrant')::BIGINT AS per_entrant,
        (settings->>'min_games_per_entrant')::BIGINT AS at_least
    FROM tournaments
    WHERE game = 'smallest_unique' AND source IS NULL  -- an imported table has no games to it
),
attempts AS (
    SELECT log, unnest(range(1, 2 + count(voided.seq))) AS attempt
    FROM settings
    LEFT JOIN voided USING (log)
    GROUP BY log
),
-- SU-9: a disqualified entrant does not play in later attempts.
remaining AS (
    SELECT
        log, attempt,
        coalesce(list(entrant ORDER BY entrant) FILTER (gone IS NULL OR gone >= attempt), [])
            AS remaining
    FROM attempts
    JOIN (SELECT log, entrant FROM entrants) USING (log)
    LEFT JOIN (
        SELECT log, entrant, min(attempt) AS gone
        FROM smallest_unique_account WHERE type = 'disqualified' GROUP BY ALL
    ) AS out USING (log, entrant)
    GROUP BY log, attempt
),
account AS (
    SELECT
        log, attempt,
        max(seq) AS seq,
        count(*) FILTER (type = 'match_played') AS games,
        min(number) FILTER (len(faults) > 0) AS faulty,
        first(reason ORDER BY seq) FILTER (type = 'voided') AS reason
    FROM smallest_unique_account
    GROUP BY log, attempt
),
fewest AS (
    SELECT log, attempt, min(games) AS fewest
    FROM (
        SELECT log, attempt, entrant, count(played.entrant) AS games
        FROM (SELECT log, attempt, unnest(remaining) AS entrant FROM remaining)
        LEFT JOIN (
            SELECT log, attempt, unnest(seats) AS entrant
            FROM smallest_unique_account WHERE type = 'match_played'
        ) AS played USING (log, attempt, entrant)
        GROUP BY ALL
    )
    GROUP BY log, attempt
)
SELECT
    log, attempt, seq, seats, at_least, fewest, faulty, reason, remaining,
    coalesce(games, 0) AS games,
    -- SU-1, SU-6, SU-9: up to the first game with a fault; none when too few are left.
    CASE
        WHEN len(remaining) < seats THEN 0
        ELSE least(per_entrant * len(remaining), faulty + 1)
    END AS due_games,
    CASE
        WHEN faulty IS NOT NULL THEN 'disqualified'
        WHEN fewest < at_least AND len(remaining) >= seats THEN 'too_few_games'
    END AS due
FROM remaining
JOIN settings USING (log)
LEFT JOIN account USING (log, attempt)
LEFT JOIN fewest USING (log, attempt);
