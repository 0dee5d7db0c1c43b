-- clause: CN-3
-- severity: error
-- The reason of the end is not what ended the match, the empty centre or the last round.
SELECT log, match, seq, due AS expected, reason AS found
FROM coins_results
WHERE reason <> due;
