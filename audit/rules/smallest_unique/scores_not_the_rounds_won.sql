-- clause: SU-5
-- severity: error
-- The scores of a game are not the numbers of rounds that each seat won.
SELECT log, match, seq, shown(points) AS expected, shown(scores) AS found
FROM smallest_unique_games
WHERE scores <> points;
