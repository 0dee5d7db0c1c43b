-- clause: SU-6
-- severity: error
-- A game does not bear its attempt, from 1, and its number in the attempt, from 0.
SELECT log, match, seq, printf('%d-%06d', attempt, number) AS expected, match AS found
FROM smallest_unique_account
WHERE type = 'match_played' AND match <> printf('%d-%06d', attempt, number);
