-- clause: CN-3
-- severity: error
-- The recorded reason of the end is not the true one: the empty centre or the last round.
SELECT log, match, seq, due AS expected, reason AS found
FROM coins_results
WHERE reason <> due;
