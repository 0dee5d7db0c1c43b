-- One row per player and game: what it had as the game started, what it decided, how it fared, and
-- what it had after each step of the settlement, as the log has it (BH-13). `moves` holds the
-- first movement of each kind, by why and what; where there is none, the step changed nothing.
-- Probability, odds, guards and account are those at the game's bank. A rule on a step holds what
-- is there after it against what was there before it, so that missing movements are found, too.
CREATE VIEW bank_heist_settled AS
WITH done AS (
    SELECT
        log, game, seat,
        arg_min({seq: seq, bet: bet}, seq) FILTER (ask = 'bet') AS made,
        arg_min({seq: seq, action: action}, seq) FILTER (ask = 'action') AS acted
    FROM bank_heist_done GROUP BY ALL
),
firsts AS (
    SELECT
        log, game, seat, why || ' ' || what AS kind,
        arg_min({seq: seq, after: least(after, bank_heist_most(what))::HUGEINT}, seq) AS move
    FROM bank_heist_moves GROUP BY ALL
),
moved AS (
    SELECT log, game, seat, map_from_entries(list((kind, move))) AS moves FROM firsts GROUP BY ALL
),
paid_by_crossers AS (
    SELECT
        log, game, seat,
        list(least(after, bank_heist_most(what))::HUGEINT ORDER BY seq) AS paid
    FROM bank_heist_moves
    WHERE why = 'finger' AND what = 'credits'
    GROUP BY ALL
),
fingers AS (
    SELECT
        log, course.game, seat,
        arg_min({seq: seq, drawn: drawn, exposed: exposed}, seq) AS fingered
    FROM bank_heist_fingered
    JOIN bank_heist_course AS course USING (log, seq)
    GROUP BY ALL
),
exposures AS (
    SELECT DISTINCT log, game, unnest(fingered.exposed) AS seat, true AS exposed FROM fingers
)
SELECT
    log, games.match, game, seat, bank, verdict,
    coalesce(rolled.seq, closed.seq, started.seq) AS around,
    round1.place AS place1, round2.place AS place2,
    -- BH-13: in round-2 order, then the others in round-1 order.
    coalesce(round2.place, 1000000 + round1.place) AS place,
    made, acted, fingered,
    coalesce(made.bet, 0) AS bet,
    bet >= 1 AS heister,
    CASE WHEN heister THEN coalesce(acted.action, 'carry on') END AS action,
    heister AND action <> 'back out' AS staying,
    staying AND action <> 'all in' AS crew,
    crew AND action = 'double cross' AS crosser,
    crew AND NOT crosser AS straight,
    rolled.players[seat + 1] AS fate,
    coalesce(fate = 's', false) AS succeeded,
    coalesce(exposures.exposed, false) AS exposed,
    crew AND succeeded AND action = 'finger' AND len(coalesce(fingered.exposed, [])) = 0
        AS wrong_finger,
    coalesce(moves, MAP {}) AS moves,
    accounts, all_guards, probabilities, all_odds,

    credits,
    coalesce(moves['all_in credits'].after, credits) AS credits_all_in,
    coalesce(moves['bet credits'].after, credits_all_in) AS credits_bet,
    coalesce(moves['exposed credits'].after, credits_bet) AS credits_exposed,
    -- After each crosser that paid.
    coalesce(paid, []) AS credits_paid_in,
    coalesce(paid[-1], credits_exposed) AS credits_fingers,
    coalesce(moves['share credits'].after, credits_fingers) AS credits_shared,
    coalesce(moves['paycheck credits'].after, credits_shared) AS credits_paid,
    coalesce(moves['bribe credits'].after, credits_paid) AS credits_end,

    coalesce(moves['heist winnings'].after, 0) AS winnings,
    coalesce(
        moves['intel winnings'].after, moves['deposit winnings'].after,
        moves['withdraw winnings'].after, winnings
    ) AS winnings_action,
    coalesce(moves['false_finger winnings'].after, winnings_action) AS winnings_end,

    employed,
    coalesce(moves['change_jobs employed'].after, employed) AS employed_action,
    coalesce(moves['exposed employed'].after, employed_action) AS employed_exposed,
    coalesce(moves['cross_failed employed'].after, employed_exposed) AS employed_shared,
    coalesce(moves['hired employed'].after, employed_shared) AS employed_end,

    salary,
    coalesce(moves['exposed salary'].after, salary) AS salary_exposed,
    coalesce(moves['false_finger salary'].after, salary_exposed) AS salary_fingers,
    coalesce(moves['cross_failed salary'].after, salary_fingers) AS salary_shared,
    coalesce(moves['hired salary'].after, salary_shared) AS salary_end,

    all_odds[bank + 1] AS odds,
    coalesce(moves['intel odds'].after, all_odds[bank + 1]) AS odds_action,
    coalesce(moves['false_finger odds'].after, odds_action) AS odds_end,

    probabilities[bank + 1] AS probability,
    coalesce(moves['guard probability'].after, probability) AS probability_action,
    coalesce(moves['exposed probability'].after, probability_action) AS probability_exposed,

    all_guards[bank + 1] AS guards,
    coalesce(moves['guard guards'].after, all_guards[bank + 1]) AS guards_action,
    list_sum(all_guards) - all_guards[bank + 1] + guards_action AS guards_in_all,

    accounts[bank + 1] AS account,
    coalesce(moves['deposit account'].after, moves['withdraw account'].after, account)
        AS account_action
FROM (SELECT * RENAME (guards AS all_guards, odds AS all_odds) FROM bank_heist_holdings)
JOIN (
    SELECT log, match, game, bank, verdict, started, closed, rolled FROM bank_heist_games
) AS games USING (log, game)
JOIN (SELECT log, game, seat, place FROM bank_heist_round1) AS round1 USING (log, game, seat)
LEFT JOIN (SELECT log, game, seat, place FROM bank_heist_round2) AS round2 USING (log, game, seat)
LEFT JOIN done USING (log, game, seat)
LEFT JOIN moved USING (log, game, seat)
LEFT JOIN paid_by_crossers USING (log, game, seat)
LEFT JOIN fingers USING (log, game, seat)
LEFT JOIN exposures USING (log, game, seat);
