-- clause: BH-5
-- severity: error
-- kind: tournament
-- A series does not consist of the set number of matches, each of all entrants in order.
WITH due AS (
    SELECT log, number, range(len(entrants)) AS seats
    FROM tournaments, range((settings->>'matches')::BIGINT) AS matches(number)
    WHERE game = 'bank_heist'
)
SELECT DISTINCT ON (log)
    log, match, seq,
    coalesce(printf('1-%06d', due.number) || ', seats ' || shown(due.seats), 'no more matches')
        AS expected,
    coalesce(match || ', seats ' || shown(played.seats), 'no more matches') AS found
FROM due
FULL JOIN (SELECT * FROM schedule WHERE game = 'bank_heist') AS played USING (log, number)
WHERE found <> expected
ORDER BY log, number, seq;
