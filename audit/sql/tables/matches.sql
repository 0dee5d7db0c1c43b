-- One row per match: what it started from, and how it ended.
CREATE TABLE matches AS
SELECT
    start._log AS log, start.match, start.tournament, start.game, start.rules, start.settings,
    start.seed_commitment, seal.seed, start.source, start.players,
    finish.seq AS finished, finish.reason, finish.scores, finish.winners,
    seal.events, seal.sha256 AS seal
FROM raw.common AS start
JOIN raw.common AS seal ON seal._log = start._log AND seal.type = 'match_sealed'
LEFT JOIN (
    SELECT DISTINCT ON (_log) * FROM raw.common WHERE type = 'match_finished' ORDER BY _log, seq
) AS finish ON finish._log = start._log
WHERE start.type = 'match_started'
ORDER BY start._log;
