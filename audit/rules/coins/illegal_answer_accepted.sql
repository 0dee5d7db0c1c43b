-- clause: CN-7
-- severity: error
-- An answer was accepted although it was not three characters of the table.
SELECT
    log, match, seq,
    'a fault, illegal' AS expected, 'accepted: ' || shown(output) AS found
FROM coins_course
WHERE type = 'answered' AND NOT coalesce(coins_is_legal(output), false);
