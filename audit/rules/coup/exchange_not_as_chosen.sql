-- clause: CP-15
-- severity: error
-- The cards kept or returned in an Exchange are not the ones that its owner chose.
SELECT
    log, match, seq,
    'seat ' || caller || ' keeps ' || chosen || ' and returns ' || due AS expected,
    'seat ' || seat || ' keeps ' || hand || ' and returns ' || returned AS found
FROM (
    SELECT *,
        choice AS chosen,
        without(without(offered_before || hand_before, chosen[1]), chosen[2]) AS due
    FROM coup_effects
    WHERE type = 'cards_exchanged'
)
WHERE sorted(hand) <> sorted(chosen) OR returned <> due OR seat <> caller;
