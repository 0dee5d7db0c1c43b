-- clause: CP-8
-- severity: error
-- Income did not bring its owner exactly 1 coin.
SELECT log, match, seq, coup_by_seat(owner, 1, 0)::VARCHAR AS expected, change::VARCHAR AS found
FROM coup_effects
WHERE cause = 'income' AND change <> coup_by_seat(owner, 1, 0);
