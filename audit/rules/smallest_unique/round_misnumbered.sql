-- clause: SU-1
-- severity: error
-- A round does not bear its number, counted from 1, or something stands between two rounds.
SELECT log, match, seq, 'round ' || seq AS expected, 'round ' || round AS found
FROM smallest_unique_round
WHERE round <> seq;  -- the start is seq 0, and nothing stands between it and the rounds
