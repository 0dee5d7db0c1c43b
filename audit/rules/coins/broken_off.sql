-- clause: CN-3
-- severity: error
-- A match ended although coins were in the centre and rounds were left.
SELECT
    log, match, seq,
    'up to ' || rounds || ' rounds of ' || seats || ' turns' AS expected,
    'the end after ' || turns || ' turns' AS found
FROM coins_results
WHERE due IS NULL;
