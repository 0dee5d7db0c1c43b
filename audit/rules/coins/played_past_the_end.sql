-- clause: CN-3
-- severity: error
-- A player acted after the last round, or after the centre was empty at the end of a turn.
SELECT
    log, match, seq,
    'no turn after ' || if(before.centre = 0, 'the centre was empty', rounds || ' rounds')
        AS expected,
    'turn ' || turn || ' of ' || seats || ' players' AS found
FROM coins_turns
JOIN (SELECT log, (settings->>'rounds')::BIGINT AS rounds FROM matches) USING (log)
WHERE turn > seats * rounds OR before.centre = 0;
