-- clause: BH-10
-- severity: error
-- A success in the crew did not bring the bet and its odds as winnings, or another event did.
SELECT
    log, match, coalesce(moves['heist winnings'].seq, around) AS seq,
    'seat ' || seat || ': ' || if(
        crew AND succeeded, least(1000000000000000, bet + odds * bet // 1000000000), 0
    ) AS expected,
    'seat ' || seat || ': ' || winnings AS found
FROM bank_heist_settled
WHERE found <> expected;
