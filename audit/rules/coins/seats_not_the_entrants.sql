-- clause: CN-6
-- severity: error
-- kind: tournament
-- The players of a game do not sit in the order of the entrants' numbers, all at one table.
SELECT
    log, match, seq, shown(range(len(entrants))) AS expected, shown(seats) AS found
FROM schedule
JOIN (SELECT log, entrants FROM tournaments WHERE game = 'coins') USING (log)
WHERE seats <> range(len(entrants));
