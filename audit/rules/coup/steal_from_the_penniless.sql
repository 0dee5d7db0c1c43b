-- clause: CP-5
-- severity: error
-- A player began a steal although the opponent had no coins.
SELECT
    log, match, seq,
    'no steal: the opponent has 0 coins' AS expected, shown(appended) AS found
FROM coup_calls
WHERE type = 'answered' AND appended = 'S' AND other = 0;
