-- clause: CN-7
-- severity: error
-- A bot was faulted for an answer of more than 64 KiB, but the log records a shorter answer.
SELECT log, match, seq, 'an output cut at 64 KiB' AS expected, shown(cut) AS found
FROM coins_course
WHERE kind = 'oversize' AND coalesce(len(cut), 0) = 0;
