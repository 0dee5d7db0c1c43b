-- clause: CP-9
-- severity: error
-- A steal did not move 2 coins to the thief, or 1 from an opponent with only 1.
SELECT log, match, seq, due::VARCHAR AS expected, change::VARCHAR AS found
FROM (
    SELECT
        *,
        least(2, coins_before[2 - owner]) AS amount,
        coup_by_seat(owner, amount, -amount) AS due
    FROM coup_effects
    WHERE cause = 'steal'
)
WHERE change <> due;
