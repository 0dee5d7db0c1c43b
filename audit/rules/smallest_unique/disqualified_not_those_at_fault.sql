-- clause: SU-9
-- severity: error
-- kind: tournament
-- The bots disqualified in an attempt are not those that failed in its first game with a fault, in
-- the order of its seats.
WITH due AS (
    SELECT
        log, attempt, match, seq,
        [{entrant: seats[fault.seat + 1], match: match, kind: fault.kind} FOR fault IN faults]
            AS due
    FROM smallest_unique_account
    JOIN (SELECT log, attempt, faulty FROM smallest_unique_attempts) USING (log, attempt)
    WHERE type = 'match_played' AND number = faulty
),
recorded AS (
    SELECT
        log, attempt, min(seq) AS seq,
        list({entrant: entrant, match: match, kind: kind} ORDER BY seq) AS recorded
    FROM smallest_unique_account
    WHERE type = 'disqualified'
    GROUP BY log, attempt
)
SELECT
    log, match, coalesce(recorded.seq, due.seq) AS seq,
    shown(coalesce(due, [])) AS expected, shown(coalesce(recorded, [])) AS found
FROM due
FULL JOIN recorded USING (log, attempt)
WHERE due IS DISTINCT FROM recorded;
