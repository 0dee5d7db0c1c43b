-- clause: BH-9
-- severity: error
-- In a transcript with results, a staying player does not have exactly one result, or another
-- player has one.
WITH games AS (
    SELECT DISTINCT log, number FROM bank_heist_heist_seen
),
staying AS (
    SELECT
        log, match, number, seat, min(seq) AS seq, max(if(action = 'back out', 0, 1)) AS due
    FROM bank_heist_acted
    JOIN games USING (log, number)
    GROUP BY ALL
),
results AS (
    SELECT log, match, number, seat, min(seq) AS seq, count(*) AS times
    FROM bank_heist_heist_seen GROUP BY ALL
)
SELECT
    log, match, coalesce(results.seq, staying.seq) AS seq,
    'seat ' || seat || ': ' || coalesce(due, 0) AS expected,
    'seat ' || seat || ': ' || coalesce(times, 0) AS found, number AS game, seat
FROM staying
FULL JOIN results USING (log, match, number, seat)
WHERE log IN (SELECT log FROM matches WHERE source = 'imported')
    AND (log, number) IN (SELECT (log, number) FROM bank_heist_credits_seen)
    AND coalesce(due, 0) <> coalesce(times, 0);
