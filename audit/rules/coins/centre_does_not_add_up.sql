-- clause: CN-4
-- severity: error
-- The centre after a turn is not the centre before it, changed by the turn's actions.
SELECT
    log, match, seq,
    due.centre || ' after ' || actions || ' from ' || before.centre AS expected,
    centre AS found
FROM coins_turns
WHERE centre IS DISTINCT FROM due.centre;
