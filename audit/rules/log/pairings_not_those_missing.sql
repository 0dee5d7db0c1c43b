-- clause: koth-log/1
-- severity: error
-- kind: contest
-- A stage of pairings plays two versions that were in an earlier stage together, or leaves out two
-- that were not; or a stage of all leaves out any two. Names the first pair of entrants. A list of
-- all pairs is written as none.
WITH due AS (
    SELECT stages.log AS contest, stage, tournament_log AS log, plays, pairings
    FROM stages
    JOIN contests USING (log)
    JOIN tournaments ON tournaments.log = tournament_log
    WHERE plays = 'pairings' OR pairings IS NOT NULL
),
pairs AS (
    SELECT log, a.entrant AS one, b.entrant AS two
    FROM due
    JOIN entrants AS a USING (log)
    JOIN entrants AS b USING (log)
    WHERE one < two
),
versions AS (
    SELECT log, stage, entrant, first_stage, last_stage
    FROM due
    JOIN entrants USING (log)
    JOIN entries ON entries.log = due.contest
        AND (entries.name, entries.bot) = (entrants.name, entrants.bot)
    WHERE plays = 'pairings'
),
met AS (
    SELECT log, a.entrant AS one, b.entrant AS two
    FROM versions AS a
    JOIN versions AS b USING (log)
    WHERE one < two
        AND greatest(a.first_stage, b.first_stage)
            <= least(a.last_stage, b.last_stage, a.stage - 1)
),
played AS (
    SELECT log, pair[1] AS one, pair[2] AS two
    FROM (SELECT log, unnest(pairings) AS pair FROM due)
),
wrong AS (
    SELECT *, false AS played
    FROM pairs ANTI JOIN met USING (log, one, two) ANTI JOIN played USING (log, one, two)
    WHERE log IN (SELECT log FROM due WHERE pairings IS NOT NULL)
    UNION ALL
    SELECT DISTINCT *, true
    FROM met
    WHERE log IN (SELECT log FROM due WHERE pairings IS NULL)
        OR (log, one, two) IN (FROM played)
)
SELECT
    log, NULL AS match, 0 AS seq,
    shown(pair) || if(played, ' not', '') || ' played' AS expected,
    shown(pair) || if(played, '', ' not') || ' played'
        || if(pairs > 1, ', like ' || pairs - 1 || ' others', '') AS found
FROM (
    SELECT log, played, min([one, two]) AS pair, count(*) AS pairs FROM wrong GROUP BY log, played
)
UNION ALL
SELECT log, NULL, 0, 'no list of all pairs' AS expected, shown(pairings) AS found
FROM tournaments
WHERE log IN (SELECT tournament_log FROM stages)
    AND len(pairings) = len(entrants) * (len(entrants) - 1) // 2;
