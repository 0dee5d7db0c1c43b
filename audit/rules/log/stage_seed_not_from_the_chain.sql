-- clause: koth-log/1
-- severity: error
-- kind: contest
-- The seed of a stage's tournament does not follow from its chain seed and its beacon, or there is
-- none, as in an imported tournament.
SELECT
    tournaments.log, NULL AS match, tournaments.events AS seq,
    sha256(stages.seed || ':beacon:' || coalesce(beacon, '')) AS expected,
    coalesce(tournaments.seed, 'no seed') AS found
FROM stages
JOIN tournaments ON tournaments.log = tournament_log
WHERE expected <> found;
