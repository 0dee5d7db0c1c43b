-- One row per stage of a contest; of a forged log that repeats one, its first start and end.
--   tournament: The id of its tournament.
--   tournament_log: The number of the tournament's log, if it was read.
--   finished: The seq of its end; NULL if it is not finished.
--   seed: The chain seed, revealed at its end.
--   files: Number of its logs.
--   root: The Merkle root over its logs.
CREATE TABLE stages AS
SELECT
    start._log AS log, contests.contest, contests.game, start.stage, start.seq,
    printf('%s/%04d', contests.contest, start.stage) AS tournament,
    played.tournament_log,
    start.beacon, finish.seq AS finished, finish.seed, finish.files, finish.root
FROM (
    SELECT DISTINCT ON (_log, stage) _log, stage, seq, beacon FROM raw.staged
    WHERE type = 'stage_started' ORDER BY _log, stage, seq
) AS start
JOIN contests ON contests.log = start._log
JOIN raw.logs AS own ON own._log = start._log
LEFT JOIN raw.tournaments AS played
    ON played.folder = stage_folder(own.folder, start.stage)
LEFT JOIN (
    SELECT DISTINCT ON (_log, stage) _log, stage, seq, seed, files, root FROM raw.staged
    WHERE type = 'stage_finished' ORDER BY _log, stage, seq
) AS finish ON finish._log = start._log AND finish.stage = start.stage
ORDER BY start._log, start.stage;
