-- One row per log that was read.
--   path: The file.
--   kind: match, tournament or contest.
--   rules: The rules version, such as `coup/1`.
--   match: The match's id; NULL for other logs.
--   tournament_log: The number of the log of the match's tournament, if it was read.
CREATE TABLE logs AS
SELECT
    _log AS log, path, kind, _game AS game, rules, tournament, _match AS match,
    -- The tournament log beside the folder "matches"; for a match log in another folder, a
    -- tournament log with the same id.
    CASE
        WHEN kind <> 'match' THEN NULL
        WHEN folder IS NULL THEN same.tournament_log
        ELSE beside.tournament_log
    END AS tournament_log
FROM raw.logs
LEFT JOIN (
    SELECT folder, min(_log) AS tournament_log
    FROM raw.logs WHERE kind = 'tournament' GROUP BY folder
) AS beside USING (folder)
LEFT JOIN (
    SELECT tournament, _game, min(_log) AS tournament_log
    FROM raw.logs WHERE kind = 'tournament' GROUP BY tournament, _game
) AS same USING (tournament, _game)
ORDER BY log;
