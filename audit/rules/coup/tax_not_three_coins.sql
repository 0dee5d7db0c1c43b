-- clause: CP-9
-- severity: error
-- Tax did not bring its owner exactly 3 coins.
SELECT log, match, seq, coup_by_seat(owner, 3, 0)::VARCHAR AS expected, change::VARCHAR AS found
FROM coup_effects
WHERE cause = 'tax' AND change <> coup_by_seat(owner, 3, 0);
