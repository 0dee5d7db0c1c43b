-- clause: koth-log/1
-- severity: error
-- kind: tournament
-- A match was played under other rules or settings than its tournament.
SELECT
    log, matches.match, 0 AS seq,
    tournaments.rules || ' ' || tournaments.settings AS expected,
    matches.rules || ' ' || matches.settings AS found
FROM matches
JOIN (SELECT log, tournament_log FROM logs) USING (log)
JOIN tournaments ON tournaments.log = tournament_log
WHERE found <> expected;
