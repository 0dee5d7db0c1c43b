-- clause: CN-7
-- severity: error
-- A bot failed and something else than NNN was carried out for it.
SELECT log, match, seq, 'NNN' AS expected, actions_below AS found
FROM coins_course
WHERE type = 'fault' AND below = 'acted' AND actions_below <> 'NNN';
