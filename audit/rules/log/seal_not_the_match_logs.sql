-- clause: koth-log/1
-- severity: error
-- kind: tournament
-- The seal that a tournament records for a match is not the seal of the match's own log: the
-- first one, if there are several.
SELECT played.log, played.match, played.seq, matches.seal AS expected, played.seal AS found
FROM matches
JOIN (
    SELECT min(log) AS log, tournament_log FROM logs GROUP BY tournament_log, match
) USING (log)
JOIN schedule AS played ON played.log = tournament_log AND played.match = matches.match
WHERE matches.seal <> played.seal;
