-- clause: CP-21
-- severity: error
-- kind: tournament
-- A match has not the dice of its pair's first match although the tournament is mirrored, or it
-- shares dice although the tournament is not.
SELECT log, match, seq, 'the dice of ' || due AS expected, 'the dice of ' || dice AS found
FROM (
    SELECT
        rounds.*,
        if(
            (settings->>'mirrored')::BIGINT = 1,
            first(match) OVER (PARTITION BY log, list_sort(seats), round ORDER BY number, seq),
            match
        ) AS due
    FROM (
        SELECT *, row_number() OVER (PARTITION BY log, seats ORDER BY number, seq) AS round
        FROM schedule WHERE game = 'coup'
    ) AS rounds
    JOIN tournaments USING (log)
)
WHERE dice <> due;
