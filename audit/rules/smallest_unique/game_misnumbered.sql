-- clause: SU-6
-- severity: error
-- kind: tournament
-- The attempt of a game (from 1) or its number in the attempt (from 0) is wrong.
SELECT log, match, seq, printf('%d-%06d', attempt, number) AS expected, match AS found
FROM smallest_unique_account
WHERE type = 'match_played' AND match <> printf('%d-%06d', attempt, number);
