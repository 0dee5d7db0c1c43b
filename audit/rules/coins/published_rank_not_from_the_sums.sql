-- clause: CN-10
-- severity: error
-- kind: tournament
-- A published table is not ordered by the sums of points, highest first, with equal sums sharing a
-- rank.
SELECT
    log, NULL AS match, seq,
    'rank ' || due || ' for ' || score || ' points in all, best first' AS expected,
    'rank ' || rank || ' in line ' || place || ': ' || name AS found
FROM (
    SELECT
        *,
        rank() OVER (PARTITION BY log ORDER BY score DESC) AS due,
        score > lag(score) OVER (PARTITION BY log ORDER BY place) AS misplaced
    FROM standings
    JOIN (SELECT log FROM tournaments WHERE source = 'imported') USING (log)
    WHERE game = 'coins'
)
WHERE rank <> due OR misplaced;
