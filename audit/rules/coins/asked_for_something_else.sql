-- clause: CN-6
-- severity: error
-- What the log says was asked is not a turn.
SELECT log, match, seq, 'turn' AS expected, ask AS found
FROM coins_course
WHERE ask <> 'turn';
