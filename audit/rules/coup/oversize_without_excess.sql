-- clause: CP-17
-- severity: error
-- A bot was said to have written more than 64 KiB, and the record shows less.
SELECT log, match, seq, 'a channel cut at 64 KiB' AS expected, shown(cut) AS found
FROM faults
WHERE game = 'coup' AND kind = 'oversize' AND coalesce(len(cut), 0) = 0;
