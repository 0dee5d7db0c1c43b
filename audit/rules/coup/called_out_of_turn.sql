-- clause: CP-3
-- severity: error
-- A player was called although it was the other's turn to be called.
SELECT
    log, match, seq,
    'seat ' || caller || ' at call ' || call AS expected, 'seat ' || seat AS found
FROM coup_calls
WHERE seat <> caller;
