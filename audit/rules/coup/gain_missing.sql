-- clause: CP-9
-- severity: error
-- Foreign Aid, Tax or Steal succeeded but no coins moved.
SELECT
    log, match, seq,
    earned || ' after ' || shown(line || appended) AS expected, shown(effects) AS found
FROM coup_calls
WHERE earned IN ('foreign_aid', 'tax', 'steal') AND coup_times(effects, earned) = 0;
