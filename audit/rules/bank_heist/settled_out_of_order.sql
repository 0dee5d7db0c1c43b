-- clause: BH-13
-- severity: error
-- The events of a game are not in the order of its course and of the steps of its settlement.
WITH places AS (
    SELECT log, game, seat, place FROM bank_heist_settled
),
calls AS (
    SELECT log, game, seat, ask, min(seq) AS call FROM bank_heist_decisions GROUP BY ALL
),
moves AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY log, game, seat, why, what, bank ORDER BY seq) AS nth,
        count(CASE WHEN why = 'guard_left' AND what = 'guards' THEN 1 END) OVER (
            PARTITION BY log, game, seat ORDER BY seq
        ) AS guards_left
    FROM bank_heist_moves
),
-- A list a move, compared from its front: the step, the place in the order, and what is within.
moved AS (
    SELECT log, moves.game, seq, why || ' ' || what || ' of seat ' || seat AS label, CASE
        WHEN why = 'all_in' THEN [5, place]
        WHEN why IN ('bet', 'heist') THEN [6, place, (why = 'heist')::INT]
        WHEN why IN ('change_jobs', 'intel', 'guard', 'deposit', 'withdraw') THEN [
            7, place, ((why, what) IN (
                ('intel', 'winnings'), ('guard', 'guards'), ('deposit', 'winnings'),
                ('withdraw', 'account')
            ))::INT
        ]
        WHEN why = 'exposed' THEN [
            9, exposed.finger_place, exposed.nth,
            list_position(['credits', 'employed', 'salary', 'probability'], what)
        ]
        WHEN why = 'finger' THEN [9, place, paying.nth, 5]
        WHEN why = 'false_finger'
            THEN [9, place, list_position(['winnings', 'salary', 'odds'], what)]
        WHEN why = 'cross_failed' THEN [11, place, (what = 'salary')::INT]
        WHEN why = 'share' THEN [11, place, 2]
        WHEN why = 'hired' THEN [12, place, (what = 'salary')::INT]
        WHEN why = 'paycheck' THEN [13, place]
        WHEN why = 'bribe' THEN [14, place, 0]
        WHEN why = 'guard_left' THEN [
            14, place,
            -- The probability goes with the guard of the same number at the same bank.
            max(CASE what WHEN 'guards' THEN guards_left END) OVER (
                PARTITION BY log, moves.game, seat, why, moves.bank, moves.nth
            ),
            (what = 'probability')::INT
        ]
        WHEN why = 'interest' THEN [15, place, moves.bank]
    END AS key
    FROM moves
    LEFT JOIN places USING (log, game, seat)
    LEFT JOIN (
        SELECT DISTINCT ON (log, game, seat) log, game, seat, finger_place, nth
        FROM bank_heist_unmasked ORDER BY log, game, seat, finger_place
    ) AS exposed ON why = 'exposed' AND (exposed.log, exposed.game, exposed.seat)
        = (moves.log, moves.game, moves.seat)
    LEFT JOIN (
        SELECT log, game, finger, paying, nth FROM bank_heist_unmasked WHERE quarter > 0
    ) AS paying ON why = 'finger' AND (paying.log, paying.game, paying.finger, paying.paying)
        = (moves.log, moves.game, moves.seat, moves.nth)
),
events AS (
    FROM moved
    UNION ALL BY NAME
    SELECT log, game, seq, type || ' ' || ask || ' of seat ' || seat AS label,
        [if(ask = 'bet', 1, 3), seq, 0] AS key
    FROM bank_heist_decisions
    UNION ALL BY NAME
    SELECT log, game, seq, ask || ' carried out of seat ' || seat AS label,
        [if(ask = 'bet', 1, 3), coalesce(call, seq), 1] AS key
    FROM bank_heist_done
    LEFT JOIN calls USING (log, game, seat, ask)
    UNION ALL BY NAME
    SELECT log, game, seq, 'finger of seat ' || seat AS label, [9, place, 0] AS key
    FROM (SELECT log, game, seat, place, unnest(fingered) FROM bank_heist_settled)
    WHERE seq IS NOT NULL
    UNION ALL BY NAME
    SELECT log, game, seq, type AS label, [CASE type
        WHEN 'game_started' THEN 0
        WHEN 'bets_closed' THEN 2
        WHEN 'heist_rolled' THEN 4
        WHEN 'cross_judged' THEN 8
        WHEN 'shared_out' THEN 10
        ELSE 16
    END] AS key
    FROM bank_heist_course
    WHERE type IN (
        'game_started', 'bets_closed', 'heist_rolled', 'cross_judged', 'shared_out', 'game_finished'
    )
),
neighbours AS (
    SELECT *, lag(key) OVER above AS last_key, lag(label) OVER above AS last
    FROM events
    WINDOW above AS (PARTITION BY log, game ORDER BY seq)
)
SELECT
    log, match, seq,
    if(game < 0, 'the first game above', label || ' above ' || last) AS expected,
    if(game < 0, label || ' above the first game', label || ' below ' || last) AS found
FROM neighbours
JOIN (SELECT log, match FROM matches) USING (log)
WHERE game < 0 OR key < last_key;
