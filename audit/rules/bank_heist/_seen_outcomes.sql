-- How a game of an imported transcript can have ended for a player: one row for each state that it
-- can have been in, each case, and each outcome of the hiring.
-- `least_share` to `most_share` are the shares with which its credits become those recorded; the
-- outcome `fits` if there are any. Everybody robs the same bank, sees the same crossers exposed
-- (`scene`), and all straights receive the same share: an outcome `agrees` if there is one for
-- every player that goes with it. `employed`, `salary` and `guards` are the state afterwards.
-- The next game begins in a state of an outcome that agrees; if there is none, the transcript breaks
-- the rules, and the player goes on from one that fits; if there is none either, as if its job,
-- salary and guards had followed the rules. One that can be in more than 500 states is not
-- followed any further.
--   pay: Its paycheck.
--   bribes: What its guards ask.
--   least_end: The least credits at the end of the game.
--   most_end: The most credits at the end of the game.
--   least_share: The least share that explains the recorded credits.
--   most_share: The most share that explains the recorded credits.
--   fits: Whether the recorded credits are among those.
--   agrees: Whether it fits together with what others have.
--   goes_on: Whether the next game can begin from here.
--   employed: Whether it has a job afterwards.
--   salary: Its salary afterwards.
--   guards: Its guards afterwards.
CREATE VIEW bank_heist_seen_outcomes AS
-- `cases` is computed once, not for every game.
WITH RECURSIVE cases AS MATERIALIZED (
    FROM bank_heist_seen_cases
),
outcomes AS (
    SELECT
        log, NULL::VARCHAR AS match, NULL::BIGINT AS seq, -1::BIGINT AS game, seat,
        NULL::BIGINT AS bank, NULL::BOOLEAN AS scene, NULL::BOOLEAN AS succeeds,
        NULL::BOOLEAN AS exposed, NULL::BOOLEAN AS points, NULL::BOOLEAN AS wrong,
        bank_heist_gain(NULL, NULL) AS gain, NULL::HUGEINT AS pay, NULL::BIGINT AS bribes,
        NULL::HUGEINT AS least_end, NULL::HUGEINT AS most_end,
        NULL::HUGEINT AS least_share, NULL::HUGEINT AS most_share,
        true AS fits, true AS agrees, true AS goes_on,
        true AS employed, 240::HUGEINT AS salary, 0::BIGINT AS guards
    FROM (SELECT DISTINCT log, seat FROM bank_heist_seen)
    UNION ALL
    (
    WITH states AS (
        SELECT *
        FROM (
            SELECT DISTINCT log, seat, game + 1 AS game, employed, salary, guards
            FROM outcomes WHERE goes_on
        )
        QUALIFY count(*) OVER (PARTITION BY log, seat) <= 500
    ),
    settled AS (
        SELECT
            cases.*, employed AND keeps_job AS has_job, guards + buys::BIGINT AS bribes,
            CASE salary_falls
                WHEN 'half' THEN salary // 2
                WHEN 'twentieth' THEN salary - salary // 20
                ELSE salary
            END AS old_salary
        FROM states
        JOIN cases USING (log, seat, game)
    ),
    -- BH-25
    hirings AS (
        SELECT
            *, has_job OR hired AS works,
            if(hired, old_salary + old_salary // 20, old_salary) AS new_salary,
            if(works AND is_paid, new_salary, 0) AS pay
        FROM settled, (VALUES (true), (false)) AS h(hired)
        WHERE NOT (has_job AND hired)
    ),
    -- BH-26: with credits left, all bribes were paid. BH-31: 10^15 may have been more.
    judged AS (
        SELECT
            * EXCLUDE (least, most),
            greatest(0, least(1000000000000000, least + pay) - bribes) AS least_end,
            greatest(0, least(1000000000000000, most + most_share + pay) - bribes) AS most_end,
            least + pay - bribes AS least_left,
            most + most_share + pay - bribes AS most_left,
            if(after > 0, greatest(0, after - (most + pay - bribes)), 0) AS share_from,
            if(
                after + bribes >= 1000000000000000, most_share,
                least(most_share, after - least_left)
            ) AS share_to,
            after BETWEEN least_end AND most_end
                -- Such a sum nobody can have won.
                AND NOT coalesce(
                    share_from = share_to AND share_to < bank_heist_listed()
                    AND get_bit(
                        small_sums, greatest(0, least(share_to, bank_heist_listed() - 1))::INTEGER
                    ) = 0,
                    false
                ) AS fits
        FROM hirings
    ),
    -- In each scenario, which every player has to fit: the shares that suit it.
    suited AS (
        SELECT
            log, seat, bank, scene, any_value(straight) AS straight,
            min(share_from) AS share_from, max(share_to) AS share_to,
            bool_or(wrong = false AND points) AS exposes
        FROM judged WHERE fits
        GROUP BY ALL
    ),
    followed AS (
        SELECT log, count(DISTINCT seat) AS seats FROM suited GROUP BY log
    ),
    scenarios AS (
        SELECT
            log, bank, scene,
            coalesce(max(share_from) FILTER (straight), 0) AS from_share,
            coalesce(min(share_to) FILTER (straight), 0) AS to_share
        FROM suited
        JOIN followed USING (log)
        GROUP BY log, bank, scene, seats
        HAVING count(*) = seats AND from_share <= to_share AND (NOT scene OR bool_or(exposes))
    )
    SELECT
        log, match, seq, game, seat, bank, scene, succeeds, exposed, points, wrong, gain, pay,
        bribes, least_end, most_end, share_from, share_to, fits,
        fits AND scenarios.log IS NOT NULL
            AND (NOT straight OR share_from <= to_share AND share_to >= from_share) AS agrees,
        CASE
            WHEN bool_or(agrees) OVER player THEN agrees
            WHEN bool_or(fits) OVER player THEN fits
            ELSE true
        END AS goes_on,
        works, new_salary,
        -- BH-26: guards stay if all are paid, else as many as credits were there.
        unnest(
            if(
                after = 0 AND least_left < 0,
                range(
                    greatest(0, bribes + least_left)::BIGINT,
                    least(bribes, bribes + most_left)::BIGINT + 1
                ),
                [bribes]
            )
        )
    FROM judged
    LEFT JOIN scenarios USING (log, bank, scene)
    WINDOW player AS (PARTITION BY log, seat)
    )
)
SELECT * FROM outcomes WHERE game >= 0;
