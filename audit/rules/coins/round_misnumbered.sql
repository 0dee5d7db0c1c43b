-- clause: CN-3
-- severity: error
-- The number of a turn's round is wrong; rounds count from 1.
SELECT log, match, seq, 'round ' || due_round AS expected, 'round ' || round AS found
FROM coins_turns
WHERE round <> due_round;
