-- clause: BH-14
-- severity: error
-- A player that changed jobs is not unemployed, or another player quit.
SELECT
    log, match, coalesce(moves['change_jobs employed'].seq, around) AS seq,
    'seat ' || seat || ': ' || if(action = 'change jobs', 0, employed) AS expected,
    'seat ' || seat || ': ' || employed_action AS found
FROM bank_heist_settled
WHERE found <> expected;
