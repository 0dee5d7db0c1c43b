-- clause: CP-19
-- severity: error
-- The matches are not ten rounds (or the number set) of all pairs, or of the pairs that the log
-- lists, in order.
WITH pairs AS (
    SELECT log, [one, two] AS pair
    FROM tournaments, range(len(entrants)) AS first(one), range(len(entrants)) AS second(two)
    WHERE game = 'coup' AND source IS NULL AND pairings IS NULL AND one < two
    UNION ALL
    SELECT log, unnest(pairings) FROM tournaments WHERE game = 'coup'
),
rounds AS (
    SELECT log, list(seats ORDER BY seats) AS round
    FROM (SELECT log, unnest([pair, list_reverse(pair)]) AS seats FROM pairs)
    GROUP BY log
),
-- As many matches as were played, and the next one, if any: a log may set ten thousand rounds and
-- hold a single match.
due AS (
    SELECT log, number, round[1 + number % len(round)] AS seats
    FROM rounds
    JOIN (SELECT log, settings FROM tournaments) USING (log)
    JOIN (
        SELECT log, unnest(range(1 + count(match))) AS number
        FROM rounds LEFT JOIN schedule USING (log)
        GROUP BY log
    ) USING (log)
    WHERE number < (settings->>'rounds')::BIGINT * len(round)
)
SELECT DISTINCT ON (log)
    log, match, seq,
    coalesce(printf('1-%06d', due.number) || ', seats ' || shown(due.seats), 'no more matches')
        AS expected,
    coalesce(match || ', seats ' || shown(played.seats), 'no more matches') AS found
FROM due
FULL JOIN (SELECT * FROM schedule WHERE game = 'coup') AS played USING (log, number)
WHERE found <> expected
ORDER BY log, number, seq;
