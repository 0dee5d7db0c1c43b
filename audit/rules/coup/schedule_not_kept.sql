-- clause: CP-19
-- severity: error
-- kind: tournament
-- The matches are not ten rounds (or the number set) of all pairs, or of the pairs that the log
-- lists, in order.
WITH listed AS (
    SELECT log, seats, row_number() OVER (PARTITION BY log ORDER BY seats) - 1 AS place
    FROM (
        SELECT log, unnest([pair, list_reverse(pair)]) AS seats
        FROM (SELECT log, unnest(pairings) AS pair FROM tournaments WHERE game = 'coup')
    )
),
rounds AS (
    SELECT
        log, (settings->>'rounds')::BIGINT AS rounds, len(entrants) AS n,
        coalesce(2 * len(pairings), n * (n - 1)) AS games
    FROM tournaments
    WHERE game = 'coup' AND (source IS NULL OR pairings IS NOT NULL)
),
-- As many matches as were played, and the next one, if any: a log may set ten thousand rounds for
-- ten thousand entrants and hold a single match.
numbers AS (
    SELECT log, rounds, n, games, unnest(range(1 + count(match))) AS number
    FROM rounds LEFT JOIN schedule USING (log)
    GROUP BY log, rounds, n, games
),
due AS (
    SELECT
        numbers.log, number,
        number % games // (n - 1) AS one,
        number % games % (n - 1) AS other,
        coalesce(listed.seats, [one, if(other < one, other, other + 1)]) AS seats
    FROM numbers
    LEFT JOIN listed ON listed.log = numbers.log AND place = number % games
    WHERE number < rounds * games
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
