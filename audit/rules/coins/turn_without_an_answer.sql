-- clause: CN-6
-- severity: error
-- A player acted without a question directly before, or was asked and did not act.
SELECT
    log, match, seq,
    if(type = 'acted', 'an answer or a fault of seat ' || seat || ' just above',
        'actions of seat ' || seat || ' just below') AS expected,
    if(type = 'acted', coalesce(above || coalesce(' of seat ' || seat_above, ''), 'nothing'),
        coalesce(below || coalesce(' of seat ' || seat_below, ''), 'nothing')) AS found
FROM coins_course
WHERE NOT coalesce(CASE
    WHEN type = 'acted' THEN above IN ('answered', 'fault') AND seat_above = seat
    WHEN type IN ('answered', 'fault') THEN below = 'acted' AND seat_below = seat
    ELSE true
END, false);
