-- clause: CP-15
-- severity: error
-- The cards were not exchanged exactly once at the closing call of an Exchange, or were exchanged
-- elsewhere.
SELECT
    log, match, seq,
    due || ' exchanges' AS expected, shown(effects) AS found
FROM (
    SELECT *, (type = 'answered' AND question = 'exchange')::INT AS due
    FROM coup_calls
)
WHERE coup_times(effects, 'cards_exchanged') <> due;
