-- clause: CP-9
-- severity: error
-- Foreign Aid, Tax or Steal moved coins twice, too early, or without success.
SELECT
    log, match, seq,
    if(earned = gain, 'one ', 'no ') || gain || ' after ' || shown(line || appended) AS expected,
    shown(effects) AS found
FROM (SELECT *, unnest(['foreign_aid', 'tax', 'steal']) AS gain FROM coup_calls)
WHERE coup_times(effects, gain) > coalesce((earned = gain)::INT, 0);
