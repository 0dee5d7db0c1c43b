-- clause: CP-1
-- severity: error
-- A player did not start with one coin.
SELECT log, match, seq, '[1, 1]' AS expected, coins::VARCHAR AS found
FROM coup_dealt
WHERE coins <> [1, 1];
