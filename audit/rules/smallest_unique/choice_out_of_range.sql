-- clause: SU-2
-- severity: error
-- A number selected in a round is not from 1 to 10.
SELECT log, match, seq, 'numbers from 1 to 10' AS expected, shown(choices) AS found
FROM smallest_unique_round
WHERE list_min(choices) < 1 OR list_max(choices) > 10;
