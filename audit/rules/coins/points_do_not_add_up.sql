-- clause: CN-4
-- severity: error
-- The points after a turn are not the points before it, changed by the turn's actions.
SELECT
    log, match, seq,
    shown(due.points) || ' after ' || actions || ' of seat ' || seat AS expected,
    shown(points) AS found
FROM coins_turns
WHERE points IS DISTINCT FROM due.points;
