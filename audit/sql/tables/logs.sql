-- One row per log that was read.
CREATE TABLE logs AS
SELECT
    log, path, kind, game, rules, tournament, match,
    -- The log of the tournament that a match belongs to: it lies beside the match's folder, or
    -- bears the same id.
    CASE WHEN kind = 'match' THEN coalesce(beside.tournament_log, same.tournament_log) END
        AS tournament_log
FROM raw.logs
LEFT JOIN (
    SELECT folder, min(log) AS tournament_log
    FROM raw.logs WHERE kind = 'tournament' GROUP BY folder
) AS beside USING (folder)
LEFT JOIN (
    SELECT tournament, game, min(log) AS tournament_log
    FROM raw.logs WHERE kind = 'tournament' GROUP BY tournament, game
) AS same USING (tournament, game)
ORDER BY log;
