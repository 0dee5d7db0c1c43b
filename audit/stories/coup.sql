-- title: Wins by pairing
-- kind: pairs
-- x: against
-- y: wins of
-- Games that the bot of a row won against the bot of a column. A draw counts as no win.
SELECT
    a.name AS series,
    b.name AS x,
    count(*) FILTER (a.won AND a.reason <> 'drawn') AS y,
    count(*) AS played
FROM seats() AS a
JOIN seats() AS b USING (log)
WHERE a.counts AND a.seat <> b.seat
GROUP BY ALL
ORDER BY series, x;
