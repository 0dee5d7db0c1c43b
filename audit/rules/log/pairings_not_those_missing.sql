-- clause: koth-log/1
-- severity: error
-- A stage of pairings plays two versions that were in an earlier stage together, or leaves out two
-- that were not; or a stage of all leaves out any two. A list of all pairs is written as none.
WITH pairs AS (
    SELECT
        tournaments.log, one.entrant AS one, two.entrant AS two,
        pairings IS NULL OR list_contains(pairings, [one.entrant, two.entrant]) AS played,
        plays = 'tournaments' OR NOT EXISTS (
            FROM entries AS a JOIN entries AS b USING (log)
            WHERE log = stages.log
                AND (a.name, a.bot) = (one.name, one.bot) AND (b.name, b.bot) = (two.name, two.bot)
                AND greatest(a.first_stage, b.first_stage)
                    <= least(a.last_stage, b.last_stage, stages.stage - 1)
        ) AS missing
    FROM stages
    JOIN contests USING (log)
    JOIN tournaments ON tournaments.log = tournament_log
    JOIN entrants AS one ON one.log = tournament_log
    JOIN entrants AS two ON two.log = tournament_log AND one.entrant < two.entrant
    WHERE plays = 'pairings' OR pairings IS NOT NULL
)
SELECT
    log, NULL AS match, 0 AS seq,
    shown([one, two]) || if(missing, '', ' not') || ' played' AS expected,
    shown([one, two]) || if(played, '', ' not') || ' played' AS found
FROM pairs
WHERE played <> missing
UNION ALL
SELECT log, NULL, 0, 'no list of all pairs' AS expected, shown(pairings) AS found
FROM tournaments
WHERE log IN (SELECT tournament_log FROM stages)
    AND len(pairings) = len(entrants) * (len(entrants) - 1) // 2;
