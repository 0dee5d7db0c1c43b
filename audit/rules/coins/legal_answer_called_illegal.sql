-- clause: CN-7
-- severity: error
-- An answer was rejected as illegal although it was three characters of the table.
SELECT log, match, seq, 'accepted: ' || coins_answer(output) AS expected, 'illegal' AS found
FROM coins_course
WHERE kind = 'illegal' AND coins_is_legal(output) AND cut IS NULL;
