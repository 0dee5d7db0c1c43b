-- clause: CP-3
-- severity: error
-- A player was called although the other player had to be called.
SELECT
    log, match, seq,
    'seat ' || caller || ' at call ' || call AS expected, 'seat ' || seat AS found
FROM coup_calls
WHERE seat <> caller;
