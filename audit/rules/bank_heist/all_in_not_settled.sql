-- clause: BH-12
-- severity: error
-- A player that went all in does not have its stake and its odds, or nothing, or another's credits
-- changed in this way.
SELECT
    log, match, coalesce(moves['all_in credits'].seq, around) AS seq,
    'seat ' || seat || ': ' || CASE
        WHEN NOT staying OR action <> 'all in' THEN credits
        WHEN succeeded THEN least(
            1000000000000000, credits + 240 + odds * (credits + 240) // 1000000000
        )
        ELSE 0
    END AS expected,
    'seat ' || seat || ': ' || credits_all_in AS found
FROM bank_heist_settled
WHERE found <> expected;
