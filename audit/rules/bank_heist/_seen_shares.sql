-- The share of those that were robbed in a game of an imported transcript whose cross succeeded, at
-- each bank and with or without an exposed crosser (`scene`): `richest` received at least `most`,
-- `poorest` at most `least`. They `agree` if one share suits all; the game is `possible` if they
-- do in some row. Fingerers are left out, for they may have gained more than a share; and so is
-- who has credits that no case explains.
--   seats: Number of players robbed.
--   richest: The seat that received most.
--   most: What it received at least.
--   poorest: The seat that received least.
--   least: What it received at most.
--   agree: Whether one share suits all.
--   possible: Whether there is any row of the game in which they agree.
CREATE VIEW bank_heist_seen_shares AS
WITH shares AS (
    SELECT
        log, match, seq, game, bank, scene, seat,
        min(least_share) AS least_share, max(most_share) AS most_share
    FROM bank_heist_seen_outcomes
    JOIN (
        SELECT log, game, seat FROM bank_heist_seen
        WHERE straight AND action <> 'finger' AND verdict = 'succeeded'
    ) USING (log, game, seat)
    WHERE fits
    GROUP BY ALL
),
scenarios AS (
    SELECT
        log, match, seq, game, bank, scene, count(*) AS seats,
        arg_max(seat, (least_share, -seat)) AS richest, max(least_share) AS most,
        arg_min(seat, (most_share, seat)) AS poorest, min(most_share) AS least,
        most <= least AS agree
    FROM shares
    GROUP BY log, match, seq, game, bank, scene
    QUALIFY seats = max(seats) OVER (PARTITION BY log, game)
)
SELECT *, bool_or(agree) OVER (PARTITION BY log, game) AS possible FROM scenarios;
