-- clause: BH-3
-- severity: error
-- The participants of a game are not all players and the drawn members of the rabble.
SELECT
    log, match, started.seq AS seq,
    players || ' players, ' || drawn || ' of the rabble' AS expected,
    started.participants || ' participants' AS found
FROM bank_heist_games
WHERE started.participants <> players + drawn;
