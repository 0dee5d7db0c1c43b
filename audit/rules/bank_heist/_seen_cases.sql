-- What may happen to a player in a game of an imported transcript before paychecks and bribes: one
-- row for each combination of bank, success, exposure and, for a fingerer, gain that is possible.
-- `least` and `most` are the credits after the share-out. They differ where the transcript does
-- not tell what others won, above all the rabble: the sums P, Q and L of the share-out are between
-- 0 and the most that they can be.
--
-- A lone crosser that nobody exposes receives all that the straights won (P + L is the sum of their
-- W before BH-21). Few small sums can come from a player's W or the rabble's bets of 69 and 420:
-- `small_sums` has those below `bank_heist_listed()`, or is NULL where a W is not known well.
--   scene: Whether any crosser is exposed.
--   exposed: Whether this one is.
--   succeeds: Whether its heist succeeds.
--   points: Whether it is a fingerer that succeeds.
--   wrong: Whether its finger exposes nobody (BH-21).
--   gain: What its finger brings, as `least` and `most`.
--   least: The least credits after the share-out, without a share.
--   most: The most credits after the share-out, without a share.
--   most_share: The most that the share can be.
--   small_sums: Bit n is set if a lone crosser can have taken n.
--   keeps_job: Whether it does not lose its job.
--   salary_falls: What becomes of its salary: half, twentieth (less), or NULL.
--   is_paid: Whether there is a paycheck for it if it is employed.
--   buys: Whether it buys a guard.
CREATE MACRO bank_heist_listed() AS 1200;

-- Bit n is set if n is a sum of one amount each of some of these triples.
CREATE MACRO bank_heist_sums_of(triples) AS list_reduce(
    [{bits: ('1' || repeat('0', bank_heist_listed() - 1))::BIT, t: [0, 0, 0]}]
        || [{bits: NULL, t: triple::INTEGER[]} FOR triple IN triples],
    lambda sums, next: {
        bits: sums.bits
            | (sums.bits >> next.t[1]) | (sums.bits >> next.t[2]) | (sums.bits >> next.t[3]),
        t: [0, 0, 0]
    }
).bits;

-- What so many members of the rabble may win, as far as it is below that.
CREATE MACRO bank_heist_rabble_winnings(bank, members) AS flatten([
    [
        [bet + bank_heist_odds(bank) * bet // 1000000000 FOR same IN range(3)]
        FOR times IN range(least(members, bank_heist_listed() // bet))
    ]
    FOR bet IN [69, 420]
]);

CREATE VIEW bank_heist_seen_cases AS
WITH stakes AS (
    SELECT
        *, if(action = 'all in', before + 240, bet) AS stake,
        -- BH-10, BH-12
        stake + lowest_odds[bank + 1] * stake // 1000000000 AS least_heist,
        stake + highest_odds[bank + 1] * stake // 1000000000 AS most_heist,
        -- BH-15, BH-17, BH-18
        action IN ('acquire intel', 'deposit') AS puts_to_use,
        if(puts_to_use, 0, least_heist) AS least_won,
        if(puts_to_use, 0, most_heist) + if(action = 'withdraw', most_saved[bank + 1], 0)
            AS most_won,
        straight AND can_succeed AND least_won < bank_heist_listed() AS counts
    FROM bank_heist_seen_bounds, range(5) AS banks(bank)
    WHERE bank BETWEEN lowest_bank AND highest_bank
),
sums AS (
    SELECT
        *,
        rabble * (
            bank_heist_rabble_most()
            + bank_heist_odds(bank) * bank_heist_rabble_most() // 1000000000
        ) + coalesce(sum(most_won) FILTER (straight AND can_succeed) OVER everybody, 0) AS p,
        coalesce(sum(most_won) FILTER (crosser AND can_succeed) OVER everybody, 0) AS q,
        coalesce(sum(most_won // 2) FILTER (action = 'finger' AND can_succeed) OVER everybody, 0)
            AS l,
        coalesce(bool_and(most_won - least_won <= 2) FILTER (counts) OVER everybody, true)
            AS listable,
        list([least_won, (least_won + most_won) // 2, most_won]) FILTER (counts) OVER everybody
            AS winnings,
        CASE
            WHEN crosser AND crossers = 1 AND verdict = 'succeeded' AND listable
            THEN bank_heist_sums_of([
                triple
                FOR triple IN (coalesce(winnings, []) || bank_heist_rabble_winnings(bank, rabble))
                IF triple[3] < bank_heist_listed()
            ])
        END AS small_sums
    FROM stakes
    WINDOW everybody AS (PARTITION BY log, game, bank)
),
-- `scene`: whether any crosser is exposed; `exposed`: whether this one is.
fates AS (
    SELECT
        *, coalesce(exposes, false) AND crosser AS exposed, action = 'finger' AND succeeds AS points
    FROM sums,
        (VALUES (true), (false)) AS f(succeeds),
        (VALUES (false, false), (true, true), (true, false)) AS e(scene, exposes)
    WHERE if(staying, if(succeeds, can_succeed, can_fail), NOT succeeds)
        AND (NOT scene OR can_expose)
        AND if(crosser, scene <= exposes OR crossers > 1, scene = exposes)
),
-- BH-20: what a fingerer whose heist succeeded exposes, and BH-21: `wrong` if that is nobody.
fingers AS (
    SELECT *, false AS wrong, bank_heist_gain(0, 0) AS gain FROM fates WHERE points IS NOT TRUE
    UNION ALL
    SELECT *, true, bank_heist_gain(0, 0) FROM fates WHERE points
    UNION ALL
    SELECT *, false, unnest(bank_heist_gains(quarters)) FROM fates WHERE points AND scene
),
-- BH-22 to BH-24: what it has without a share: the rest, and its own W if that comes back.
shares AS (
    SELECT
        *,
        CASE
            WHEN NOT staying THEN before
            WHEN NOT crew THEN 0
            ELSE before - bet - if(exposed, quarter, 0)
        END AS rest,
        CASE
            WHEN NOT succeeds THEN false
            WHEN crosser THEN verdict = 'succeeded'
            WHEN straight THEN verdict <> 'succeeded'
            ELSE true
        END AS keeps,
        CASE
            WHEN straight AND verdict = 'none' THEN l // straights
            WHEN straight AND verdict = 'failed' THEN (q + l) // straights
            WHEN straight AND scene THEN (p + l) // straights
            WHEN crosser AND verdict = 'succeeded' AND NOT exposed THEN p // crossers + l
            ELSE 0
        END AS most_share
    FROM fingers
)
SELECT
    log, match, seq, game, seat, action, straight, before, bet, after,
    bank, verdict, scene, succeeds, exposed, points, wrong, gain,
    rest + gain.least + if(keeps, least_won - if(wrong, least_won // 2, 0), 0) AS least,
    rest + gain.most + if(keeps, most_won - if(wrong, most_won // 2, 0), 0) AS most,
    most_share,
    if(exposed, NULL, small_sums) AS small_sums,
    -- BH-14, BH-20, BH-24
    coalesce(action <> 'change jobs', true) AND NOT (crosser AND (exposed OR verdict = 'failed'))
        AS keeps_job,
    CASE WHEN wrong THEN 'twentieth' WHEN crosser AND NOT keeps_job THEN 'half' END AS salary_falls,
    coalesce(action NOT IN ('back out', 'all in'), true) AS is_paid,
    coalesce(action = 'buy guard', false) AS buys
FROM shares;
