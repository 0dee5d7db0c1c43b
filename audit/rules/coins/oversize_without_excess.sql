-- clause: CN-7
-- severity: error
-- A bot was said to have written more than 64 KiB, and the record shows less.
SELECT log, match, seq, 'an output cut at 64 KiB' AS expected, shown(cut) AS found
FROM coins_course
WHERE kind = 'oversize' AND coalesce(len(cut), 0) = 0;
