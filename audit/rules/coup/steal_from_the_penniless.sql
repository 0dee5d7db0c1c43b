-- clause: CP-5
-- severity: error
-- A steal was begun although the opponent had no coin.
SELECT
    log, match, seq,
    'no steal: the opponent has 0 coins' AS expected, shown(appended) AS found
FROM coup_calls
WHERE type = 'answered' AND line = '' AND appended = 'S' AND other = 0;
