-- One row per crosser that a finger exposed (BH-20): `nth` counts those of one finger from 1, and
-- `quarter` is what the crosser owes for it. `paying` counts those that owe something.
--   finger: The seat of the fingerer.
--   finger_place: The fingerer's place in the order of settlement (BH-13).
--   seat: The seat of the crosser.
--   nth: Its position among those that this fingerer exposed, from 1.
--   quarter: What it owes for it: a quarter of its credits.
--   paying: How many of this fingerer's crosses owed something so far.
CREATE VIEW bank_heist_unmasked AS
WITH exposures AS (
    SELECT
        log, game, seat AS finger, place AS finger_place,
        unnest(fingered.exposed) AS seat,
        generate_subscripts(fingered.exposed, 1) AS nth
    FROM bank_heist_settled
    WHERE fingered IS NOT NULL
)
SELECT
    exposures.*, crossers.credits_bet // 4 AS quarter,
    count(CASE WHEN quarter > 0 THEN 1 END) OVER (
        PARTITION BY log, game, finger ORDER BY nth
    ) AS paying
FROM exposures
JOIN (SELECT log, game, seat, credits_bet FROM bank_heist_settled) AS crossers
    USING (log, game, seat);
