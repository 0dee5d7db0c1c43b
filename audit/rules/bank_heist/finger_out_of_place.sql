-- clause: BH-20
-- severity: error
-- A finger without a success drew seats, or a finger with a success did not draw exactly once.
WITH pointed AS (
    SELECT log, course.game, seat, count(*) AS times
    FROM bank_heist_fingered
    JOIN bank_heist_course AS course USING (log, seq)
    GROUP BY ALL
)
SELECT
    log, match, coalesce(fingered.seq, around) AS seq,
    'seat ' || seat || ': ' || (crew AND succeeded AND action = 'finger')::INT AS expected,
    'seat ' || seat || ': ' || coalesce(times, 0) AS found
FROM bank_heist_settled
LEFT JOIN pointed USING (log, game, seat)
WHERE found <> expected;
