-- clause: CN-6
-- severity: error
-- A recorded question is not a turn.
SELECT log, match, seq, 'turn' AS expected, ask AS found
FROM coins_course
WHERE ask <> 'turn';
