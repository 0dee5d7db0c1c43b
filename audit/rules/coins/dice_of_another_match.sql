-- clause: CN-10
-- severity: error
-- kind: tournament
-- A game was played with the dice of another one; every game has its own.
SELECT log, match, seq, 'the dice of ' || match AS expected, 'the dice of ' || dice AS found
FROM schedule
WHERE game = 'coins' AND dice <> match;
