-- clause: BH-5
-- severity: error
-- kind: tournament
-- A match was played with the dice of another one; every match has its own.
SELECT log, match, seq, 'the dice of ' || match AS expected, 'the dice of ' || dice AS found
FROM schedule
WHERE game = 'bank_heist' AND dice <> match;
