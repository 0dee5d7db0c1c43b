-- clause: CP-19
-- severity: error
-- The matches are not ten rounds (or the number set) of all pairs, or of the pairs that the log
-- lists, in order.
WITH due AS (
    SELECT
        log,
        row_number() OVER (PARTITION BY log ORDER BY round, one, two) - 1 AS number,
        [one, two] AS seats
    FROM tournaments,
        range((settings->>'rounds')::BIGINT) AS rounds(round),
        range(len(entrants)) AS first(one),
        range(len(entrants)) AS second(two)
    WHERE game = 'coup' AND source IS NULL AND one <> two
        AND (pairings IS NULL OR list_contains(pairings, [least(one, two), greatest(one, two)]))
)
SELECT DISTINCT ON (log)
    log, match, seq,
    coalesce(printf('1-%06d', number) || ', seats ' || shown(due.seats), 'no more matches') AS expected,
    coalesce(match || ', seats ' || shown(played.seats), 'no more matches') AS found
FROM due
FULL JOIN (SELECT * FROM schedule WHERE game = 'coup') AS played USING (log, number)
WHERE found <> expected
ORDER BY log, number;
