-- clause: BH-12
-- severity: error
-- A player that went all in succeeded or failed contrary to its die and its own probability.
SELECT
    log, settled.match, rolled.seq AS seq,
    'seat ' || seat || if(
        die_word(seed, 'game/' || game || '/success/' || seat) * 1000000000
            < probability * 4503599627370496,
        ': s', ': f'
    ) AS expected,
    'seat ' || seat || ': ' || fate AS found
FROM bank_heist_settled AS settled
JOIN (SELECT log, game, seed, rolled FROM bank_heist_games) USING (log, game)
WHERE action = 'all in' AND fate IN ('s', 'f') AND found <> expected;
