-- clause: BH-8
-- severity: error
-- An amount changed because of an action that the player did not choose.
WITH effects AS (
    SELECT
        *,
        CASE why
            WHEN 'all_in' THEN 'all in'
            WHEN 'change_jobs' THEN 'change jobs'
            WHEN 'intel' THEN 'acquire intel'
            WHEN 'guard' THEN 'buy guard'
            WHEN 'deposit' THEN 'deposit'
            WHEN 'withdraw' THEN 'withdraw'
            WHEN 'exposed' THEN 'double cross'
            WHEN 'cross_failed' THEN 'double cross'
            WHEN 'finger' THEN 'finger'
            WHEN 'false_finger' THEN 'finger'
        END AS due
    FROM bank_heist_moves
)
SELECT log, effects.match, seq, due AS expected, shown(action) || ', moved by ' || why AS found
FROM effects
JOIN bank_heist_settled USING (log, game, seat)
WHERE action IS DISTINCT FROM due AND due IS NOT NULL;
