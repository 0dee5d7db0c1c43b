-- clause: CP-10
-- severity: error
-- A coup was paid twice, or without a victim that gave up its card.
SELECT
    log, match, seq,
    if(owed = 'coup', 'one', 'no') || ' coup paid after ' || shown(line || appended) AS expected,
    shown(effects) AS found
FROM coup_calls
WHERE coup_times(effects, 'coup') > coalesce((owed = 'coup')::INT, 0);
