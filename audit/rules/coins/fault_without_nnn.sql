-- clause: CN-7
-- severity: error
-- A bot failed but the action carried out for it was not NNN.
SELECT log, match, seq, 'NNN' AS expected, actions_below AS found
FROM coins_course
WHERE type = 'fault' AND below = 'acted' AND actions_below <> 'NNN';
