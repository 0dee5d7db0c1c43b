-- clause: CP-8
-- severity: error
-- A coin of income was paid twice, or without an Income.
SELECT
    log, match, seq,
    if(earned = 'income', 'one income', 'no income') || ' after ' || shown(line || appended)
        AS expected,
    shown(effects) AS found
FROM coup_calls
WHERE coup_times(effects, 'income') > coalesce((earned = 'income')::INT, 0);
