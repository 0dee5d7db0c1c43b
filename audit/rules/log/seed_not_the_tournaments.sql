-- clause: koth-log/1
-- severity: error
-- kind: tournament
-- The seed of a match does not follow from the seed of its tournament.
SELECT
    log, matches.match, matches.events AS seq,
    sha256(tournaments.seed || ':match:' || coalesce(schedule.dice, matches.match)) AS expected,
    matches.seed AS found
FROM matches
JOIN (SELECT log, tournament_log FROM logs) USING (log)
JOIN tournaments ON tournaments.log = tournament_log
LEFT JOIN (
    SELECT log, match, arg_min(dice, seq) AS dice FROM schedule GROUP BY log, match
) AS schedule ON schedule.log = tournament_log AND schedule.match = matches.match
WHERE found <> expected;
