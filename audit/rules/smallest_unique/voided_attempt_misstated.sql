-- clause: SU-9
-- severity: error
-- The line that voids an attempt does not bear its number, or not the number of its games.
SELECT
    log, NULL AS match, seq,
    'attempt ' || attempt || ', ' || number || ' games' AS expected,
    'attempt ' || named || ', ' || matches || ' games' AS found
FROM smallest_unique_account
WHERE type = 'voided' AND (named, matches) <> (attempt, number);
