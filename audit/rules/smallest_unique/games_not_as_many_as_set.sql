-- clause: SU-6
-- severity: error
-- kind: tournament
-- An attempt does not have the set number of games for each remaining entrant, up to the first with a
-- fault among them.
SELECT
    log, NULL AS match, seq,
    due_games || ' games of ' || len(remaining) || ' entrants' AS expected,
    games || ' games' AS found
FROM smallest_unique_attempts
WHERE games <> due_games AND coalesce(faulty >= due_games, true) AND len(remaining) >= seats;
