-- clause: koth-log/1
-- severity: error
-- kind: tournament
-- A match is imported and so reveals no seed, although its tournament was played, or the reverse.
SELECT
    log, matches.match, 0 AS seq,
    coalesce(tournaments.source, 'played') AS expected,
    coalesce(matches.source, 'played') AS found
FROM matches
JOIN (SELECT log, tournament_log FROM logs) USING (log)
JOIN tournaments ON tournaments.log = tournament_log
WHERE found <> expected;
