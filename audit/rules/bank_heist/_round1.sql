-- All participants of a game in the order in which the dice call them to bet (BH-4), with the sums
-- of the bets before. A player has a seat, a member of the rabble a number.
--   seat: The player's seat, from 0; NULL for the rabble.
--   member: The rabble member's number, from 0; NULL for players.
--   bet: Its bet, in credits.
--   place: Its position in the order of calls of this round, from 1.
--   heisters: Number that had bet before it was called.
--   total: The credits that had been bet before it was called.
CREATE VIEW bank_heist_round1 AS
WITH bets AS (
    SELECT log, game, seat, arg_min(bet, seq) AS bet FROM bank_heist_done GROUP BY ALL
),
participants AS (
    SELECT log, game, seat, NULL AS member, seat::VARCHAR AS name, coalesce(bet, 0) AS bet
    FROM (SELECT log, game, unnest(range(players)) AS seat FROM bank_heist_games)
    LEFT JOIN bets USING (log, game, seat)
    UNION ALL
    SELECT log, game, NULL, member, 'r' || member, bet FROM bank_heist_members
)
SELECT
    log, game, seat, member, bet,
    row_number() OVER called AS place,
    count(CASE WHEN bet >= 1 THEN 1 END) OVER before AS heisters,
    coalesce(sum(bet) OVER before, 0) AS total
FROM participants
JOIN (SELECT log, seed FROM matches) USING (log)
WINDOW
    called AS (
        PARTITION BY log, game ORDER BY shuffle_key(seed, 'game/' || game || '/bet/order', name)
    ),
    before AS (called ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING);
