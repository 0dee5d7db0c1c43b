-- One row per log that was read.
--   path: The file.
--   kind: match, tournament or contest.
--   rules: The rules version, such as `coup/1`.
--   match: The match's id; NULL for other logs.
--   tournament_log: The number of the log of the match's tournament, if it was read.
CREATE TABLE logs AS
SELECT
    _log AS log, path, kind, _game AS game, rules, tournament, _match AS match,
    -- The tournament log beside the folder "matches"; for a match log in another folder, the only
    -- tournament log with the same id. A single match has the id of its own commitment, which a
    -- tournament with the same seed has, too.
    CASE
        WHEN kind <> 'match' OR single._log IS NOT NULL THEN NULL
        WHEN folder IS NULL THEN same.tournament_log
        ELSE beside.tournament_log
    END AS tournament_log
FROM raw.logs
LEFT JOIN raw.tournaments AS beside USING (folder)
LEFT JOIN (
    SELECT tournament, _game, min(_log) AS tournament_log
    FROM raw.logs WHERE kind = 'tournament' GROUP BY tournament, _game HAVING count(*) = 1
) AS same USING (tournament, _game)
LEFT JOIN (
    SELECT _log
    FROM raw.common AS start
    JOIN (SELECT _log FROM raw.logs WHERE folder IS NULL) USING (_log)
    WHERE start.type = 'match_started' AND start.tournament = left(start.seed_commitment, 16)
) AS single USING (_log)
ORDER BY log;
