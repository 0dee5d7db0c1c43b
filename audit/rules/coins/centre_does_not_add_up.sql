-- clause: CN-4
-- severity: error
-- The centre after a turn is not what its actions make of the centre before.
SELECT
    log, match, seq,
    due.centre || ' after ' || actions || ' from ' || before.centre AS expected,
    centre AS found
FROM coins_turns
WHERE centre IS DISTINCT FROM due.centre;
