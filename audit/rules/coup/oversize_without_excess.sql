-- clause: CP-17
-- severity: error
-- A bot was faulted for an answer of more than 64 KiB, but the log records a shorter answer.
SELECT log, match, seq, 'a channel cut at 64 KiB' AS expected, shown(cut) AS found
FROM faults
WHERE game = 'coup' AND kind = 'oversize' AND coalesce(len(cut), 0) = 0;
