-- clause: BH-31
-- severity: error
-- An amount is above its bound.
SELECT
    log, match, seq,
    'at most ' || bank_heist_most(what) || ' ' || what AS expected, after AS found
FROM bank_heist_moves
WHERE what <> 'guards' AND after > bank_heist_most(what);
