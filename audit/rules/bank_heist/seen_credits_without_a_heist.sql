-- clause: BH-25
-- severity: error
-- A player that did not bet has neither its credits from before nor its salary more.
SELECT
    log, match, seq, 'seat ' || seat || ': ' || expected AS expected,
    'seat ' || seat || ': ' || after AS found, game, seat, arithmetic
FROM bank_heist_seen_wrong
WHERE action IS NULL;
