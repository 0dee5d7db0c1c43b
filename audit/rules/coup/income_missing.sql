-- clause: CP-8
-- severity: error
-- A player took Income but no coin moved.
SELECT
    log, match, seq,
    'a coin of income after ' || shown(line || appended) AS expected, shown(effects) AS found
FROM coup_calls
WHERE earned = 'income' AND coup_times(effects, 'income') = 0;
