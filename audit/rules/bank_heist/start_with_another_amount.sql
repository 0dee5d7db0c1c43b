-- clause: BH-2
-- severity: error
-- A player did not start with 240 credits, a job for 240, empty accounts, no guards and the banks' probabilities and odds.
SELECT log, match, seq, bank_heist_initial(what, bank) AS expected, before AS found
FROM (
    SELECT DISTINCT ON (log, seat, what, bank) log, match, seq, what, bank, before
    FROM bank_heist_moves
    WHERE what <> 'winnings'
    ORDER BY log, seat, what, bank, seq
)
WHERE found IS DISTINCT FROM expected;
