-- clause: SU-9
-- severity: error
-- A choice was accepted although it was not an integer from 1 to 10.
SELECT log, match, seq, 'a fault, illegal' AS expected, 'accepted: ' || shown(output) AS found
FROM smallest_unique_replies
WHERE type = 'answered' AND NOT coalesce(regexp_full_match(output, '[1-9]|10'), false);
