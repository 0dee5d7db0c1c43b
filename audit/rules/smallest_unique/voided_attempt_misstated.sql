-- clause: SU-9
-- severity: error
-- kind: tournament
-- The event that voids an attempt has the wrong number of the attempt, or of its games.
SELECT
    log, NULL AS match, seq,
    'attempt ' || attempt || ', ' || number || ' games' AS expected,
    'attempt ' || named || ', ' || matches || ' games' AS found
FROM smallest_unique_account
WHERE type = 'voided' AND (named, matches) <> (attempt, number);
