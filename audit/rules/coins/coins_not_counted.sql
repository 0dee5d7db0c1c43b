-- clause: CN-5
-- severity: error
-- The points of the count are not the points after the last turn plus those of each coin.
SELECT log, counted.match, counted.seq, shown(due) AS expected, shown(points) AS found
FROM coins_counted AS counted
JOIN (SELECT log, due_points AS due FROM coins_results) USING (log)
WHERE points IS DISTINCT FROM due;
