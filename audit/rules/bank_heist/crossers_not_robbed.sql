-- clause: BH-24
-- severity: error
-- After a cross that failed, the straights' share is not their part of the crossers' winnings and
-- the pot.
SELECT
    log, match, shared.seq AS seq,
    'straights ' || coalesce(
        (shared.crossers_sum::HUGEINT + shared.pot) // nullif(shared.straights, 0), 0
    ) || ', crossers 0' AS expected,
    'straights ' || shared.straight_share || ', crossers ' || shared.crosser_share AS found
FROM bank_heist_games
WHERE verdict = 'failed' AND found <> expected;
