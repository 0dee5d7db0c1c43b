-- clause: BH-23
-- severity: error
-- A cross succeeded, and the robbed players cannot all have received the same share.
SELECT
    log, match, seq, 'one share for all' AS expected,
    'seat ' || richest || ' at least ' || most || ', seat ' || poorest || ' at most ' || least
        AS found,
    game
FROM bank_heist_seen_shares
WHERE NOT agree
QUALIFY row_number() OVER (PARTITION BY log, game ORDER BY most - least, bank, scene) = 1
    AND NOT possible;
