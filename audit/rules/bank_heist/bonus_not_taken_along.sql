-- clause: BH-26
-- severity: error
-- A guard that left is still counted, or did not take away the probability that it had brought.
WITH leaving AS (
    SELECT
        *,
        count(*) FILTER (what = 'guards') OVER of_bank AS guards_left,
        count(*) FILTER (what = 'probability') OVER of_bank AS probabilities_left,
        row_number() OVER (of_bank ORDER BY seq DESC) AS from_last,
        arg_max(after, seq) FILTER (what = 'probability') OVER of_bank AS p
    FROM bank_heist_moves
    WHERE why = 'guard_left'
    WINDOW of_bank AS (PARTITION BY log, game, seat, bank)
)
SELECT
    log, leaving.match, seq,
    CASE what
        WHEN 'guards' THEN before - 1
        ELSE greatest(0, (before::HUGEINT - 10000000) * 100 // 99)
    END::VARCHAR AS expected,
    after::VARCHAR AS found
FROM leaving
WHERE found <> expected
UNION ALL
SELECT
    log, leaving.match, leaving.seq,
    'seat ' || seat || ': the bonus of ' || guards_left || ' guards gone' AS expected,
    'that of ' || probabilities_left AS found
FROM leaving
JOIN bank_heist_settled AS settled USING (log, game, seat)
WHERE from_last = 1 AND (
    probabilities_left > guards_left
    -- At 0 and at 1 a probability stays as it is.
    OR probabilities_left < guards_left AND coalesce(p, if(
        leaving.bank = settled.bank, probability_exposed, probabilities[leaving.bank + 1]
    )) NOT IN (0, 1000000000)
);
