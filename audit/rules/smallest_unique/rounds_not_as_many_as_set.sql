-- clause: SU-1
-- severity: error
-- A game had more rounds than set, or fewer although no bot failed.
SELECT log, match, seq, due_rounds || ' rounds' AS expected, rounds || ' rounds' AS found
FROM smallest_unique_games
WHERE rounds > due_rounds OR (rounds < due_rounds AND faults = 0);
