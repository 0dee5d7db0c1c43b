-- clause: CP-13
-- severity: error
-- A card was shown after a challenge but its owner did not draw another.
SELECT
    log, match, seq,
    'a replacement for ' || appended AS expected, shown(effects) AS found
FROM coup_calls
WHERE type = 'answered' AND coup_shows(appended) AND line <> 'Eq'
    AND coup_times(effects, 'card_replaced') = 0;
