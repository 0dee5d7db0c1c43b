-- clause: CP-10
-- severity: error
-- The victim of a coup gave up its card but the coup was not paid.
SELECT
    log, match, seq,
    '7 coins paid after ' || shown(line || appended) AS expected, shown(effects) AS found
FROM coup_calls
WHERE owed = 'coup' AND coup_times(effects, 'coup') = 0;
