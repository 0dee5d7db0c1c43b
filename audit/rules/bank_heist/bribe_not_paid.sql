-- clause: BH-26
-- severity: error
-- A player did not pay 1 credit for each of its guards, as far as its credits allow.
SELECT
    log, match, coalesce(moves['bribe credits'].seq, around) AS seq,
    'seat ' || seat || ': ' || greatest(0, credits_paid - guards_in_all) AS expected,
    'seat ' || seat || ': ' || credits_end AS found
FROM bank_heist_settled
WHERE found <> expected;
