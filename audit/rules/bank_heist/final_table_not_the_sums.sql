-- clause: BH-5
-- severity: error
-- kind: tournament
-- The final table does not rank the sums of final credits, most credits first, with ties sharing a
-- rank.
WITH seats AS (
    SELECT log, unnest(seats) AS entrant, unnest(scores) AS score
    FROM schedule WHERE game = 'bank_heist'
),
sums AS (
    SELECT log, entrant, sum(score) AS score, count(*) AS games FROM seats GROUP BY ALL
),
due AS (
    SELECT
        log, entrant, name, score, games,
        rank() OVER (PARTITION BY log ORDER BY score DESC) AS rank
    FROM entrants
    JOIN sums USING (log, entrant)
    WHERE game = 'bank_heist'
),
recorded AS (
    SELECT
        *,
        (rank, tie) < lag((rank, tie)) OVER (PARTITION BY log ORDER BY place) AS misplaced,
        count(*) OVER (PARTITION BY log, entrant) > 1 AS doubled
    FROM (
        -- An imported table has equal ranks in the order in which they were printed.
        SELECT standings.*, if(source IS NULL, entrant, 0) AS tie
        FROM standings
        JOIN tournaments USING (log)
        WHERE standings.game = 'bank_heist'
    )
)
SELECT
    log, NULL AS match, seq,
    coalesce(
        'rank ' || due.rank || ': ' || due.name || ', ' || due.score || ' credits in ' || due.games,
        'entrants, each once'
    ) AS expected,
    coalesce(
        'rank ' || recorded.rank || ': entrant ' || entrant || ', ' || recorded.score
            || ' credits in ' || recorded.games,
        'nothing'
    ) || if(misplaced, ', out of order', '') || if(doubled, ', twice', '') AS found
FROM due
FULL JOIN recorded USING (log, entrant)
WHERE misplaced OR doubled
    OR (due.rank, due.score, due.games)
        IS DISTINCT FROM (recorded.rank, recorded.score, recorded.games);
