-- clause: CP-1
-- severity: error
-- The coins after a movement are not those before it plus the change.
SELECT log, match, seq, due::VARCHAR AS expected, coins::VARCHAR AS found
FROM (
    SELECT *, [coins_before[1] + change[1], coins_before[2] + change[2]] AS due
    FROM coup_before
    WHERE type = 'coins_moved'
)
WHERE coins <> due;
