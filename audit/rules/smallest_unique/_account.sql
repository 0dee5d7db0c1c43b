-- The matches, disqualifications and voided attempts of every tournament, in order. A line that
-- voids an attempt is its last line.
--   reason: How a match ended, or why an attempt is void.
--   attempt: The attempt that the line belongs to, from 1.
--   type: match_played, disqualified or voided.
--   seats: In match_played: entrants' numbers, by seat.
--   named: In voided: the attempt that the line names.
--   number: Number of earlier matches of the same attempt.
--   type_above: The type of the line above it in the same attempt.
CREATE VIEW smallest_unique_account AS
WITH lines AS (
    SELECT log, seq, 'match_played' AS type, match, seats, reason, winners, faults
    FROM schedule WHERE game = 'smallest_unique'
    UNION ALL BY NAME
    SELECT log, seq, 'disqualified' AS type, match, entrant, kind
    FROM disqualified WHERE game = 'smallest_unique'
    UNION ALL BY NAME
    SELECT log, seq, 'voided' AS type, attempt AS named, matches, reason
    FROM voided WHERE game = 'smallest_unique'
),
attempts AS (
    SELECT
        *,
        1 + count(CASE WHEN type = 'voided' THEN 1 END) OVER (
            PARTITION BY log ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS attempt
    FROM lines
)
SELECT
    *,
    count(CASE WHEN type = 'match_played' THEN 1 END) OVER above AS number,
    lag(type) OVER (PARTITION BY log, attempt ORDER BY seq) AS type_above
FROM attempts
WINDOW above AS (
    PARTITION BY log, attempt ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
);
