-- One row per contest: its first event, and the state of its log.
--   plays: pairings, if a stage plays those that are missing; tournaments, if it plays all anew.
--   seeds: Number of seeds in the chain.
--   seed_commitment: The head of the chain: SHA-256 of the first stage's chain seed.
--   finished: Number of finished stages.
--   closed: Whether the log has its seal.
--   events: Number of events above the seal; NULL without a seal.
--   seal: The hash of all bytes above the seal.
CREATE TABLE contests AS
SELECT
    start._log AS log, start.contest, start.game, start.rules, start.settings, start.plays,
    start.stages AS seeds, start.seed_commitment,
    count(*) FILTER (rest.type = 'stage_finished') AS finished,
    bool_or(rest.type = 'contest_sealed') AS closed, max(rest.events) AS events,
    max(rest.sha256) AS seal
FROM raw.staged AS start
JOIN raw.staged AS rest USING (_log)
WHERE start.type = 'contest_started'
GROUP BY ALL
ORDER BY log;
