-- clause: CN-1
-- severity: error
-- A player acted although it was another's turn in the turn order.
SELECT
    log, match, seq,
    'seat ' || due_seat || ' at turn ' || turn AS expected, 'seat ' || seat AS found
FROM coins_turns
WHERE seat <> due_seat;
