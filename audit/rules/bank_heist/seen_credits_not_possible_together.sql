-- clause: BH-13
-- severity: error
-- Each player's credits are possible, but not all of them at one bank with the same exposed
-- crossers and paid fingers.
SELECT
    log, match, seq, 'a course that explains what everybody has' AS expected,
    'none' AS found, game
FROM bank_heist_seen_outcomes
GROUP BY log, match, seq, game
HAVING NOT bool_or(agrees)
    AND (log, game) NOT IN (SELECT (log, game) FROM bank_heist_seen_wrong)
    AND (log, game) NOT IN (SELECT (log, game) FROM bank_heist_seen_shares WHERE NOT possible);
