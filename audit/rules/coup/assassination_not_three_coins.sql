-- clause: CP-11
-- severity: error
-- An assassination did not cost its owner exactly 3 coins.
SELECT log, match, seq, coup_by_seat(owner, -3, 0)::VARCHAR AS expected, change::VARCHAR AS found
FROM coup_effects
WHERE cause = 'assassination' AND change <> coup_by_seat(owner, -3, 0);
