-- clause: CP-14
-- severity: error
-- More cards left the game than were given up.
SELECT
    log, match, seq,
    due || ' cards lost after ' || shown(line || appended) AS expected, shown(effects) AS found
FROM (
    SELECT *, CASE
        WHEN type = 'fault' OR appended IS NULL OR NOT coup_gives_up(appended) THEN 0
        WHEN line IN ('Aq^', 'Asq') THEN length(hand)  -- CP-12
        ELSE 1
    END AS due
    FROM coup_calls
)
WHERE coup_times(effects, 'card_lost') > due;
