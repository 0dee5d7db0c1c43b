-- clause: BH-9
-- severity: error
-- A member of the rabble succeeded or failed contrary to its die and its probability times f.
SELECT
    log, match, rolled.seq AS seq,
    'member ' || member || if(
        die_bulk(seed, 'game/' || game || '/success/rabble', member) * heisters * 1000000000
            < bank_heist_probability(bank) * staying_in_all * 4503599627370496,
        ': s', ': f'
    ) AS expected,
    'member ' || member || ': ' || fate AS found
FROM bank_heist_members
JOIN (
    SELECT log, game, match, seed, rolled, bank, heisters, staying AS staying_in_all
    FROM bank_heist_games
) USING (log, game)
WHERE fate IN ('s', 'f') AND found <> expected;
