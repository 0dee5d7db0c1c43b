-- clause: SU-1
-- severity: error
-- The number of a round, counted from 1, is wrong, or another event is between two rounds.
SELECT log, match, seq, 'round ' || seq AS expected, 'round ' || round AS found
FROM smallest_unique_round
WHERE round <> seq;  -- the start is seq 0, and the rounds follow it directly
