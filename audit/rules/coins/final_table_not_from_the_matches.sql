-- clause: CN-10
-- severity: error
-- kind: tournament
-- The final table does not rank the points of all games, most points first, with ties sharing a
-- rank. An imported table has no matches and is not checked.
WITH played AS (SELECT log FROM tournaments WHERE source IS NULL),
points AS (
    SELECT log, entrant, sum(score)::HUGEINT AS score, count(*) AS games
    FROM (
        SELECT log, unnest(seats) AS entrant, unnest(scores) AS score
        FROM schedule WHERE game = 'coins'
    )
    GROUP BY ALL
),
due AS (
    SELECT
        log, entrant, name, score, games,
        rank() OVER (PARTITION BY log ORDER BY score DESC) AS rank
    FROM entrants
    JOIN points USING (log, entrant)
    WHERE game = 'coins' AND log IN (FROM played)
),
recorded AS (
    SELECT
        *,
        (rank, entrant) < lag((rank, entrant)) OVER (PARTITION BY log ORDER BY place) AS misplaced,
        count(*) OVER (PARTITION BY log, entrant) > 1 AS doubled
    FROM standings WHERE game = 'coins' AND log IN (FROM played)
)
SELECT
    log, NULL AS match, seq,
    coalesce(printf('rank %d: %s, score %s, games %d', due.rank, due.name, due.score::VARCHAR,
        due.games), 'entrants, each once') AS expected,
    coalesce(printf('rank %d: entrant %d, score %d, games %d', recorded.rank, entrant,
        recorded.score, recorded.games), 'nothing')
        || if(misplaced, ', out of order', '') || if(doubled, ', twice', '') AS found
FROM due
FULL JOIN recorded USING (log, entrant)
WHERE misplaced OR doubled
    OR (due.rank, due.score, due.games)
        IS DISTINCT FROM (recorded.rank, recorded.score, recorded.games);
