-- clause: koth-log/1
-- severity: error
-- A stage of pairings plays two versions that were in an earlier stage together, or leaves out two
-- that were not.
WITH pairs AS (
    SELECT
        stages.log AS contest, stages.stage, tournaments.log, one.entrant AS one, two.entrant AS two,
        [one.name || one.bot, two.name || two.bot] AS versions,
        pairings IS NULL OR list_contains(pairings, [one.entrant, two.entrant]) AS played
    FROM stages
    JOIN contests USING (log)
    JOIN tournaments ON tournaments.log = tournament_log
    JOIN entrants AS one ON one.log = tournament_log
    JOIN entrants AS two ON two.log = tournament_log AND one.entrant < two.entrant
    WHERE plays = 'pairings'
),
numbered AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY contest, list_sort(versions) ORDER BY stage) = 1 AS missing
    FROM pairs
)
SELECT
    log, NULL AS match, 0 AS seq,
    shown([one, two]) || if(missing, '', ' not') || ' played' AS expected,
    shown([one, two]) || if(played, '', ' not') || ' played' AS found
FROM numbered
WHERE played <> missing;
