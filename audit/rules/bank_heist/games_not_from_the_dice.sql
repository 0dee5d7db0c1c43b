-- clause: BH-1
-- severity: error
-- The number of games is not the one that the dice give.
SELECT
    log, event.match, seq,
    fewest + die_below(seed, 'games', most - fewest + 1) AS expected, games AS found
FROM bank_heist_games_drawn AS event
JOIN (
    SELECT
        log, seed,
        (settings->>'games_min')::BIGINT AS fewest, (settings->>'games_max')::BIGINT AS most
    FROM matches
    WHERE source IS NULL
) USING (log)
WHERE found <> expected;
