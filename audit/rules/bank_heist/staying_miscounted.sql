-- clause: BH-9
-- severity: error
-- The staying players are not the heisters without those that backed out.
SELECT log, match, rolled.seq AS seq, staying AS expected, rolled.staying AS found
FROM bank_heist_games
WHERE found <> expected;
