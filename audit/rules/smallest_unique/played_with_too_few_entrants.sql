-- clause: SU-1
-- severity: error
-- kind: tournament
-- An attempt was played although fewer entrants than seats were left.
SELECT
    log, NULL AS match, seq,
    'no game with ' || len(remaining) || ' entrants for ' || seats || ' seats' AS expected,
    games || ' games' AS found
FROM smallest_unique_attempts
WHERE len(remaining) < seats AND games > 0;
