-- clause: CP-20
-- severity: error
-- kind: tournament
-- The final table does not rank the points of the matches, most points first, with ties sharing a
-- rank. An imported table has no matches and is not checked.
WITH played AS (SELECT log FROM tournaments WHERE source IS NULL),
points AS (
    SELECT log, seats[seat] AS entrant, sum(scores[seat]) AS score, count(*) AS games
    FROM schedule, (SELECT unnest([1, 2]) AS seat)
    WHERE game = 'coup'
    GROUP BY ALL
),
due AS (
    SELECT
        log, entrant, name, coalesce(score, 0) AS score, coalesce(games, 0) AS games,
        rank() OVER (PARTITION BY log ORDER BY coalesce(points.score, 0) DESC) AS rank
    FROM entrants
    LEFT JOIN points USING (log, entrant)
    WHERE game = 'coup' AND log IN (FROM played)
),
recorded AS (
    SELECT
        *,
        (rank, entrant) < lag((rank, entrant)) OVER (PARTITION BY log ORDER BY place) AS misplaced,
        count(*) OVER (PARTITION BY log, entrant) > 1 AS doubled
    FROM standings WHERE game = 'coup' AND log IN (FROM played)
)
SELECT
    log, NULL AS match, seq,
    printf('rank %d: %s, score %d, games %d', due.rank, due.name, due.score, due.games) AS expected,
    coalesce(printf('rank %d: entrant %d, score %d, games %d', recorded.rank, entrant,
        recorded.score, recorded.games), 'nothing')
        || if(misplaced, ', out of order', '') || if(doubled, ', twice', '') AS found
FROM due
LEFT JOIN recorded USING (log, entrant)
WHERE misplaced OR doubled
    OR (due.rank, due.score, due.games)
        IS DISTINCT FROM (recorded.rank, recorded.score, recorded.games);
