-- clause: koth-log/1
-- severity: error
-- kind: tournament
-- A match log in a tournament's folder has the id of another tournament.
SELECT
    log, matches.match, 0 AS seq,
    tournaments.tournament AS expected, matches.tournament AS found
FROM matches
JOIN (SELECT log, tournament_log FROM logs) USING (log)
JOIN tournaments ON tournaments.log = tournament_log
WHERE found <> expected;
