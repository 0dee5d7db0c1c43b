-- clause: BH-3
-- severity: error
-- A player does not have exactly one bet in a game.
WITH seats AS (
    SELECT start.log, match, start.seq, number, unnest(range(players)) AS seat
    FROM bank_heist_game_started AS start
    JOIN (SELECT log, len(players) AS players FROM matches WHERE source = 'imported') USING (log)
    WHERE (log, number) IN (SELECT (log, number) FROM bank_heist_credits_seen)
)
SELECT
    log, seats.match, seats.seq, 'seat ' || seat || ': 1 bet' AS expected,
    'seat ' || seat || ': ' || count(bet.seq) AS found, number AS game, seat
FROM seats
LEFT JOIN bank_heist_bet AS bet USING (log, number, seat)
GROUP BY log, seats.match, seats.seq, number, seat
HAVING count(bet.seq) <> 1;
