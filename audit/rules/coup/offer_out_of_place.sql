-- clause: CP-15
-- severity: error
-- Two cards were not offered exactly once before the owner's closing call of an Exchange, or were
-- offered elsewhere.
SELECT
    log, match, seq,
    due || ' offers before the next call' AS expected,
    coup_times(effects, 'cards_offered') || ' offers' AS found
FROM (
    SELECT *,
        coalesce(lead(question) OVER (PARTITION BY log ORDER BY call) = 'exchange', false)::INT
            AS due
    FROM coup_calls
)
WHERE coup_times(effects, 'cards_offered') <> due;
