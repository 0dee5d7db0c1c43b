-- All heisters in the order in which the dice call them to decide in round 2 (BH-4), with the number
-- of those that had backed out before.
--   seat: The player's seat, from 0; NULL for the rabble.
--   member: The rabble member's number, from 0; NULL for players.
--   backs_out: Whether it backs out.
--   place: Its position in the order of calls of this round, from 1.
--   backed_out: Number that had backed out before it was called.
CREATE VIEW bank_heist_round2 AS
WITH actions AS (
    SELECT log, game, seat, arg_min(action, seq) AS action FROM bank_heist_done GROUP BY ALL
),
heisters AS (
    SELECT
        log, game, seat, NULL AS member, seat::VARCHAR AS name,
        coalesce(action = 'back out', false) AS backs_out
    FROM bank_heist_round1
    LEFT JOIN actions USING (log, game, seat)
    WHERE seat IS NOT NULL AND bet >= 1
    UNION ALL
    SELECT log, game, NULL, member, 'r' || member, fate = 'o'
    FROM bank_heist_members WHERE bet >= 1
)
SELECT
    log, game, seat, member, backs_out,
    row_number() OVER called AS place,
    count(CASE WHEN backs_out THEN 1 END) OVER before AS backed_out
FROM heisters
JOIN (SELECT log, seed FROM matches) USING (log)
WINDOW
    called AS (
        PARTITION BY log, game ORDER BY shuffle_key(seed, 'game/' || game || '/action/order', name)
    ),
    before AS (called ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING);
