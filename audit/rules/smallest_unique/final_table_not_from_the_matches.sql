-- clause: SU-6
-- severity: error
-- kind: tournament
-- The final table does not rank the games of the last attempt, highest rate of wins first, with
-- equal rates sharing a rank.
WITH last AS (
    SELECT DISTINCT ON (log) * FROM smallest_unique_attempts ORDER BY log, attempt DESC
),
results AS (
    SELECT log, entrant, count(*) AS games, count(*) FILTER (won) AS wins
    FROM (
        SELECT
            account.log, unnest(account.seats) AS entrant,
            unnest([list_contains(winners, n) FOR n IN range(len(account.seats))]) AS won
        FROM smallest_unique_account AS account
        JOIN last USING (log, attempt)
        WHERE type = 'match_played'
    )
    GROUP BY log, entrant
),
due AS (
    SELECT
        log, entrant, coalesce(wins, 0) AS wins, coalesce(games, 0) AS games,
        -- Fractions with denominators below 2^32 differ by more than 2^-64, so this is exact.
        rank() OVER (PARTITION BY log ORDER BY coalesce(
            wins::HUGEINT * 18446744073709551616 // games, 0
        ) DESC) AS rank
    FROM (SELECT log, unnest(remaining) AS entrant FROM last WHERE len(remaining) >= seats)
    LEFT JOIN results USING (log, entrant)
),
recorded AS (
    SELECT
        *,
        (rank, entrant) < lag((rank, entrant)) OVER (PARTITION BY log ORDER BY place) AS misplaced,
        count(*) OVER (PARTITION BY log, entrant) > 1 AS doubled
    FROM standings
    WHERE log IN (SELECT log FROM last)
)
SELECT
    log, NULL AS match, recorded.seq,
    coalesce(printf('rank %d: entrant %d, wins %d, games %d', due.rank, entrant, due.wins,
        due.games), 'entrants that are left, each once') AS expected,
    coalesce(printf('rank %d: entrant %d, wins %d, games %d', recorded.rank, entrant,
        recorded.score, recorded.games), 'nothing')
        || if(misplaced, ', out of order', '') || if(doubled, ', twice', '') AS found
FROM due
FULL JOIN recorded USING (log, entrant)
WHERE misplaced OR doubled
    OR (due.rank, due.wins, due.games)
        IS DISTINCT FROM (recorded.rank, recorded.score, recorded.games);
