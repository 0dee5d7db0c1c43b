-- clause: CP-13
-- severity: error
-- A card was replaced that was not shown, or an Ambassador that was shown for the player's own
-- Exchange.
SELECT
    log, match, seq,
    if(due = 1, 'one replacement', 'no replacement') || ' after ' || shown(line || appended)
        AS expected,
    shown(effects) AS found
FROM (
    SELECT *,
        coalesce(type = 'answered' AND coup_shows(appended) AND line <> 'Eq', false)::INT AS due
    FROM coup_calls
)
WHERE coup_times(effects, 'card_replaced') > due;
