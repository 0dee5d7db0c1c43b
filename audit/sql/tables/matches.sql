-- One row per match: its start and its result.
--   finished: The seq of the result.
--   events: Number of events above the seal.
--   seal: The hash of all bytes above the seal.
--   void: Whether its attempt is void; without the tournament's log, whether a later one follows.
CREATE TABLE matches AS
SELECT
    start._log AS log, start.match, start.tournament, start.game, start.rules, start.settings,
    start.seed_commitment, seal.seed, start.source, start.players,
    finish.seq AS finished, finish.reason, finish.scores, finish.winners,
    seal.events, seal.sha256 AS seal,
    coalesce(if(
        tournament_log IS NULL,  -- for example of a tournament that is being played
        folder IS NOT NULL AND attempt_of(start.match) < max(attempt_of(start.match)) OVER beside,
        (tournament_log, attempt_of(start.match)) IN (
            SELECT (_log, attempt) FROM raw.staged WHERE type = 'voided'
        )
    ), false) AS void
FROM raw.common AS start
JOIN logs ON logs.log = start._log
JOIN raw.logs AS own ON own._log = start._log
JOIN raw.common AS seal ON seal._log = start._log AND seal.type = 'match_sealed'
LEFT JOIN (
    SELECT DISTINCT ON (_log) _log, seq, reason, scores, winners FROM raw.common
    WHERE type = 'match_finished' ORDER BY _log, seq
) AS finish ON finish._log = start._log
WHERE start.type = 'match_started'
WINDOW beside AS (PARTITION BY folder, start.game, start.tournament)
ORDER BY start._log;
