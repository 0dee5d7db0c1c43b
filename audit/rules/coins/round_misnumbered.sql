-- clause: CN-3
-- severity: error
-- A turn does not bear the number of its round, counted from 1.
SELECT log, match, seq, 'round ' || due_round AS expected, 'round ' || round AS found
FROM coins_turns
WHERE round <> due_round;
