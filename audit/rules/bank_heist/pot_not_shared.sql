-- clause: BH-22
-- severity: error
-- Without a cross, the straights' share is not their part of the pot.
SELECT
    log, match, shared.seq AS seq,
    'straights ' || coalesce(shared.pot // nullif(shared.straights, 0), 0) || ', crossers 0'
        AS expected,
    'straights ' || shared.straight_share || ', crossers ' || shared.crosser_share AS found
FROM bank_heist_games
WHERE verdict = 'none' AND found <> expected;
