-- clause: BH-10
-- severity: error
-- A member of the crew did not pay its bet, or a player outside the crew paid.
SELECT
    log, match, coalesce(moves['bet credits'].seq, around) AS seq,
    'seat ' || seat || ': ' || if(crew, credits_all_in - bet, credits_all_in) AS expected,
    'seat ' || seat || ': ' || credits_bet AS found
FROM bank_heist_settled
WHERE found <> expected;
