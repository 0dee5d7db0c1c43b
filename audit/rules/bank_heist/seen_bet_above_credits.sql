-- clause: BH-6
-- severity: error
-- A player's bet was counted in full although it was more than the player's credits.
WITH tables AS (
    SELECT
        log, number AS game, credits,
        row_number() OVER (PARTITION BY log, number ORDER BY seq) AS nth
    FROM bank_heist_credits_seen
)
SELECT
    log, match, seq,
    'seat ' || seat || ': at most ' || coalesce(credits[seat + 1], 240) AS expected,
    'seat ' || seat || ': ' || bet AS found, number AS game, seat
FROM bank_heist_bet
JOIN (SELECT log FROM matches WHERE source = 'imported') USING (log)
LEFT JOIN tables ON tables.log = bank_heist_bet.log AND game = number - 1 AND nth = 1
WHERE bet > coalesce(credits[seat + 1], if(number = 0, 240, NULL));
