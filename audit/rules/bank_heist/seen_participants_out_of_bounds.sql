-- clause: BH-3
-- severity: error
-- A game has fewer participants than players, or more than players and rabble.
SELECT
    log, match, seq, players || ' to ' || (players + rabble) AS expected,
    participants AS found, number AS game
FROM bank_heist_game_started
JOIN (
    SELECT log, len(players) AS players, (settings->>'rabble')::BIGINT AS rabble
    FROM matches WHERE source = 'imported'
) USING (log)
WHERE participants NOT BETWEEN players AND players + rabble;
