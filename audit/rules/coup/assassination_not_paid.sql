-- clause: CP-11
-- severity: error
-- An assassination took its card, or was blocked by a Contessa, but was not paid.
SELECT
    log, match, seq,
    '3 coins paid after ' || shown(line || appended) AS expected, shown(effects) AS found
FROM coup_calls
WHERE owed = 'assassination' AND coup_times(effects, 'assassination') = 0;
