-- One row per player and game: its holdings at the start of the game, its decision, its fate, and
-- its recorded holdings after each step of the settlement (BH-13). `moves` has the first movement of
-- each kind, by why and what; without one, the step changed nothing. Probability, odds, guards and
-- account are those at the game's bank. A rule about a step compares the holdings after it with those
-- before it, so that it also finds missing movements.
--   game: The number of the game in its match, from 0.
--   seat: The player's seat, from 0.
--   bank: The bank of the game, from 0.
--   verdict: Of the cross: none, succeeded or failed.
--   around: The seq of an event of the game, for findings about a missing event of the player.
--   place1: When it was called in round 1, from 1, rabble included.
--   place2: When it was called in round 2; NULL if it is no heister.
--   place: Its place in the order of settlement (BH-13).
--   made: The event bet.
--   acted: The event acted.
--   fingered: The event fingered; NULL if it drew nothing.
--   bet: Its bet, in credits; 0 if there is none.
--   heister: Whether it bet something.
--   action: What it does in round 2; NULL if it is no heister.
--   staying: Whether it is a heister and did not back out.
--   crew: Whether it stays and did not go all in.
--   crosser: Whether it is of the crew and double crosses.
--   straight: Whether it is of the crew and does not double cross.
--   fate: Its fate: `.` no heister, `o` backed out, `s` succeeded, `f` failed.
--   succeeded: Whether its heist succeeded.
--   exposed: Whether a finger exposed it.
--   wrong_finger: Whether its finger exposed nobody (BH-21).
--   moves: The first movement of each kind, by "why what", in the order of these names.
--   all_guards: How many guards it paid at each bank at the start of the game.
--   all_odds: Its odds at each bank at the start of the game, in billionths.
--   credits_all_in: Its credits after those all in were settled (BH-12).
--   credits_bet: Its credits after the bets were paid in (BH-10).
--   credits_exposed: Its credits after it was exposed, if it was (BH-20).
--   credits_paid_in: As a fingerer, its credits after each crosser that paid (BH-20).
--   credits_fingers: Its credits after all fingers.
--   credits_shared: Its credits after the share-out.
--   credits_paid: Its credits after the paychecks.
--   credits_end: Its credits after the bribes, at the end of the game.
--   winnings: What its heist brought, the stake included (BH-10).
--   winnings_action: Its winnings after its own action (BH-15, BH-17, BH-18).
--   winnings_end: Its winnings after the fingers, as they go into the share-out.
--   employed: 1 if it had a job at the start of the game, else 0.
--   employed_action: The same after its own action (BH-14).
--   employed_exposed: The same after the fingers (BH-20).
--   employed_shared: The same after the share-out (BH-24).
--   employed_end: The same after the hiring, at the end of the game (BH-25).
--   salary: Its salary at the start of the game, in credits.
--   salary_exposed: The same after it was exposed, if it was (BH-20).
--   salary_fingers: The same after all fingers (BH-21).
--   salary_shared: The same after the share-out (BH-24).
--   salary_end: The same after the hiring, at the end of the game (BH-25).
--   odds: Its odds at the start of the game, in billionths.
--   odds_action: The same after its own action (BH-15).
--   odds_end: The same after the fingers, at the end of the game (BH-21).
--   probability: Its probability of success at the start of the game, in billionths.
--   probability_action: The same after its own action (BH-16).
--   probability_exposed: The same after the fingers (BH-20).
--   guards: How many guards it paid at the start of the game.
--   guards_action: The same after its own action (BH-16).
--   guards_in_all: How many guards it pays at all banks, after its own action.
--   account: What its account held at the start of the game, in credits.
--   account_action: The same after its own action (BH-17, BH-18).
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
    SELECT log, game, seat, map_from_entries(list((kind, move) ORDER BY kind)) AS moves
    FROM firsts GROUP BY ALL
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
