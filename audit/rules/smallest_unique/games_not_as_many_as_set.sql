-- clause: SU-6
-- severity: error
-- An attempt without a fault does not have the set number of games for each remaining entrant.
SELECT
    log, NULL AS match, seq,
    due_games || ' games of ' || len(remaining) || ' entrants' AS expected,
    games || ' games' AS found
FROM smallest_unique_attempts
WHERE games <> due_games AND faulty IS NULL AND len(remaining) >= seats;
