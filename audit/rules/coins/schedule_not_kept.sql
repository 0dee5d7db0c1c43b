-- clause: CN-10
-- severity: error
-- kind: tournament
-- The games are not numbered in order, or their number is not the one set.
WITH due AS (
    SELECT log, unnest(range((settings->>'games')::BIGINT)) AS number
    FROM tournaments
    WHERE game = 'coins' AND source IS NULL
)
SELECT DISTINCT ON (log)
    log, match, seq,
    coalesce(printf('1-%06d', due.number), 'no more games') AS expected,
    coalesce(match, 'no more games') AS found
FROM due
FULL JOIN (SELECT * FROM schedule WHERE game = 'coins') AS played USING (log, number)
WHERE found <> expected
ORDER BY log, number, seq;
