-- clause: SU-9
-- severity: error
-- A choice was rejected as illegal although it was an integer from 1 to 10.
SELECT log, match, seq, 'accepted: ' || output AS expected, 'illegal' AS found
FROM smallest_unique_replies
WHERE kind = 'illegal' AND regexp_full_match(output, '[1-9]|10');
