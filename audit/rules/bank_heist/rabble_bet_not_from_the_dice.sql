-- clause: BH-28
-- severity: error
-- A member of the rabble did not bet the most that it can afford, or bet, contrary to the dice.
WITH bets AS (
    SELECT
        log, match, closed, member, symbol,
        CASE
            WHEN die_bulk(seed, 'game/' || game || '/bet/rabble', member) * 1000000000
                >= bank_heist_probability(bank_heist_bank(round1.heisters, round1.total))
                    * 4503599627370496 THEN '0'
            WHEN credits >= 80085 THEN '4'
            WHEN credits >= 6969 THEN '3'
            WHEN credits >= 420 THEN '2'
            WHEN credits >= 69 THEN '1'
            ELSE '0'
        END AS due
    FROM bank_heist_members
    JOIN bank_heist_round1 AS round1 USING (log, game, member)
    JOIN (SELECT log, game, match, seed, closed FROM bank_heist_games) USING (log, game)
)
SELECT
    log, match, closed.seq AS seq,
    'member ' || member || ': ' || due AS expected, 'member ' || member || ': ' || symbol AS found
FROM bets
WHERE symbol <> due;
