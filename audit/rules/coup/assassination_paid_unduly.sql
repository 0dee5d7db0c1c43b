-- clause: CP-11
-- severity: error
-- An assassination was paid twice, too early, or although the assassin's claim was false.
SELECT
    log, match, seq,
    if(owed = 'assassination', 'one', 'no') || ' assassination paid after '
        || shown(line || appended) AS expected,
    shown(effects) AS found
FROM coup_calls
WHERE coup_times(effects, 'assassination') > coalesce((owed = 'assassination')::INT, 0);
