-- clause: CP-11
-- severity: error
-- An assassination cost its owner something else than 3 coins.
SELECT log, match, seq, coup_by_seat(owner, -3, 0)::VARCHAR AS expected, change::VARCHAR AS found
FROM coup_effects
WHERE cause = 'assassination' AND change <> coup_by_seat(owner, -3, 0);
