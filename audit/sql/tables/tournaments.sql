-- One row per tournament whose own log was read.
--   pairings: The pairs of entrants that play each other; NULL if all do.
--   seed: The tournament's seed, revealed; NULL if it was imported.
--   finished: The seq of the result.
--   events: Number of events above the seal.
--   seal: The hash of all bytes above the seal.
CREATE TABLE tournaments AS
SELECT
    start._log AS log, start.tournament, start.game, start.rules, start.settings, start.pairings,
    start.seed_commitment, seal.seed, start.source, start.entrants, finish.seq AS finished,
    seal.events, seal.sha256 AS seal
FROM raw.staged AS start
JOIN raw.staged AS seal ON seal._log = start._log AND seal.type = 'tournament_sealed'
LEFT JOIN (
    SELECT _log, min(seq) AS seq FROM raw.staged WHERE type = 'tournament_finished' GROUP BY _log
) AS finish ON finish._log = start._log
WHERE start.type = 'tournament_started'
ORDER BY start._log;
