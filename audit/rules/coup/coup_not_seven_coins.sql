-- clause: CP-10
-- severity: error
-- A coup did not cost its owner exactly 7 coins.
SELECT log, match, seq, coup_by_seat(owner, -7, 0)::VARCHAR AS expected, change::VARCHAR AS found
FROM coup_effects
WHERE cause = 'coup' AND change <> coup_by_seat(owner, -7, 0);
