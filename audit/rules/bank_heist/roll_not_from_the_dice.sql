-- clause: BH-9
-- severity: error
-- A player of the crew succeeded or failed contrary to its die and its probability times f.
SELECT
    log, settled.match, rolled.seq AS seq,
    'seat ' || seat || if(
        die_word(seed, 'game/' || game || '/success/' || seat) * heisters * 1000000000
            < probability * staying_in_all * 4503599627370496,
        ': s', ': f'
    ) AS expected,
    'seat ' || seat || ': ' || fate AS found
FROM bank_heist_settled AS settled
JOIN (
    SELECT log, game, seed, rolled, heisters, staying AS staying_in_all FROM bank_heist_games
) USING (log, game)
WHERE crew AND fate IN ('s', 'f') AND found <> expected;
