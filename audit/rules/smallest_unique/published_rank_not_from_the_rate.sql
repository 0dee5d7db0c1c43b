-- clause: SU-6
-- severity: error
-- kind: tournament
-- A published table is not ordered by wins ÷ games, highest first, with equal rates sharing a rank.
SELECT
    log, NULL AS match, seq,
    'rank ' || due || ' for ' || score || '/' || games || ', best first' AS expected,
    'rank ' || rank || ' in line ' || place || ': ' || name AS found
FROM (
    SELECT
        *,
        rank() OVER (PARTITION BY log ORDER BY rate DESC) AS due,
        rate > lag(rate) OVER (PARTITION BY log ORDER BY place) AS misplaced
    FROM (
        -- Fractions with denominators below 2^32 differ by more than 2^-64, so this is exact.
        SELECT *, score::HUGEINT * 18446744073709551616 // greatest(games, 1) AS rate
        FROM standings
        JOIN (SELECT log FROM tournaments WHERE source = 'imported') USING (log)
        WHERE game = 'smallest_unique'
    )
)
WHERE rank <> due OR misplaced;
