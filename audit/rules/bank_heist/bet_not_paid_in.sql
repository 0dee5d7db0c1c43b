-- clause: BH-10
-- severity: error
-- The crew did not pay its bets, or somebody else did.
SELECT
    log, match, coalesce(moves['bet credits'].seq, around) AS seq,
    'seat ' || seat || ': ' || if(crew, credits_all_in - bet, credits_all_in) AS expected,
    'seat ' || seat || ': ' || credits_bet AS found
FROM bank_heist_settled
WHERE found <> expected;
