-- clause: CP-9
-- severity: error
-- Foreign Aid did not bring its owner exactly 2 coins.
SELECT log, match, seq, coup_by_seat(owner, 2, 0)::VARCHAR AS expected, change::VARCHAR AS found
FROM coup_effects
WHERE cause = 'foreign_aid' AND change <> coup_by_seat(owner, 2, 0);
