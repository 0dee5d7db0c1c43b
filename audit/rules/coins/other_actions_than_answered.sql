-- clause: CN-4
-- severity: error
-- The actions carried out are not the ones that the player answered.
SELECT
    log, match, seq,
    coins_answer(output) AS expected, actions_below AS found
FROM coins_course
WHERE type = 'answered' AND below = 'acted' AND coins_is_legal(output)
    AND actions_below <> coins_answer(output);
