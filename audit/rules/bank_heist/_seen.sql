-- One row per player and game of an imported transcript, with direct conclusions. `game` is the
-- transcript's number, `seq` the event with the table at the end of the game, `before` and `after`
-- are credits. Holdings other than credits can only be followed from game 0 on. So a transcript is
-- checked only as far as its games count from 0 without a gap, with one bet for every player and one
-- decision for every heister; other rules report the errors in these.
--   game: The number of the game, from 0.
--   players: Number of players.
--   participants: Players and the rabble drawn.
--   before: Its credits at the end of the game before.
--   bet: Its bet, in credits, at most all that it had.
--   action: Its decision in round 2; NULL if it bet nothing.
--   succeeded: 1 if the transcript shows that its heist succeeded, 0 if it shows that it failed.
--   after: Its credits at the end of the game.
--   staying: Whether it is a heister and did not back out.
--   crew: Whether it stays and did not go all in.
--   crosser: Whether it is of the crew and double crosses.
--   straight: Whether it is of the crew and does not double cross.
--   can_succeed: Whether the transcript leaves it open that its heist succeeded.
--   can_fail: Whether the transcript leaves it open that its heist failed.
--   rabble: Number of rabble members that take part.
--   heisters: Number of players that bet.
--   lowest_bank: The bank if nobody of the rabble bets.
--   highest_bank: The bank if all of the rabble bet all that there is to bet.
--   crossers: Number of players that double cross, D (BH-19).
--   staying_players: Number of players that stay, N (BH-19).
--   straights: Number of players of the crew that do not double cross.
--   verdict: Of the cross: none, succeeded or failed.
--   quarter: What it owes if it is exposed; NULL if it is no crosser.
--   quarters: What each crosser of the game owes if it is exposed.
--   can_expose: Whether a finger can have exposed somebody.

-- BH-28: no member of the rabble bets more.
CREATE MACRO bank_heist_rabble_most() AS 80085::HUGEINT;

-- All sums that some of these amounts can have, at least one of them.
CREATE MACRO bank_heist_sums(amounts) AS list_reduce(
    [[amount] FOR amount IN amounts],
    lambda sums, next: list_distinct(sums || next || [sum + next[1] FOR sum IN sums])
);

-- BH-20: what a finger that exposes somebody can bring: each sum of some of the quarters, or, where
-- these would be too many, everything from the least quarter to the eight largest. DuckDB may
-- compute both, so the sums have their own bound.
CREATE MACRO bank_heist_gain(least, most) AS {least: least::HUGEINT, most: most::HUGEINT};
CREATE MACRO bank_heist_gains(quarters) AS if(
    len(quarters) <= 6,
    [bank_heist_gain(sum, sum) FOR sum IN bank_heist_sums(quarters[:6])],
    [bank_heist_gain(list_min(quarters), list_sum(list_reverse_sort(quarters)[:8]))]
);

CREATE VIEW bank_heist_seen AS
WITH imported AS (
    SELECT log, len(players) AS players FROM matches
    WHERE game = 'bank_heist' AND source = 'imported'
),
bets AS (
    SELECT log, number AS game, seat, any_value(bet) AS said, count(*) AS bets
    FROM bank_heist_bet GROUP BY ALL
),
actions AS (
    SELECT log, number AS game, seat, any_value(action) AS action, count(*) AS actions
    FROM bank_heist_acted GROUP BY ALL
),
results AS (
    SELECT log, number AS game, seat, any_value(succeeded) AS succeeded, count(*) AS results
    FROM bank_heist_heist_seen GROUP BY ALL
),
starts AS (
    SELECT log, number AS game, any_value(participants) AS participants, count(*) AS starts
    FROM bank_heist_game_started GROUP BY ALL
),
ends AS (
    SELECT
        log, match, seq, number AS game, credits,
        row_number() OVER (PARTITION BY log ORDER BY seq) - 1 AS nth
    FROM bank_heist_credits_seen
),
rows AS (
    SELECT
        log, match, seq, game, seat, players, participants,
        coalesce(lag(credits[seat + 1]) OVER earlier, 240)::HUGEINT AS before,
        -- BH-6
        least(said, before)::HUGEINT AS bet,
        CASE WHEN said >= 1 THEN action END AS action,
        succeeded,
        credits[seat + 1]::HUGEINT AS after,
        game = nth AND len(credits) = players AND coalesce(starts = 1 AND bets = 1, false)
        AND participants >= players
        AND coalesce(actions, 0) = if(said >= 1, 1, 0) AND coalesce(results, 1) = 1 AS clear
    FROM ends
    JOIN imported USING (log)
    CROSS JOIN LATERAL (SELECT unnest(range(players)) AS seat)
    LEFT JOIN starts USING (log, game)
    LEFT JOIN bets USING (log, game, seat)
    LEFT JOIN actions USING (log, game, seat)
    LEFT JOIN results USING (log, game, seat)
    WINDOW earlier AS (PARTITION BY log, seat ORDER BY seq)
),
followed AS (
    SELECT * EXCLUDE (clear)
    FROM rows
    QUALIFY bool_and(clear) OVER (PARTITION BY log ORDER BY seq)
)
SELECT
    *,
    coalesce(action <> 'back out', false) AS staying,
    staying AND action <> 'all in' AS crew,
    crew AND action = 'double cross' AS crosser,
    crew AND NOT crosser AS straight,
    -- What crew that succeeded cannot have, nor that failed, if the transcript says so.
    coalesce(succeeded = 1, true) AND staying AS can_succeed,
    coalesce(succeeded = 0, true) AND staying AS can_fail,
    participants - players AS rabble,
    count(*) FILTER (bet >= 1) OVER game AS heisters,
    -- BH-7: nobody of the rabble bets, or everybody all there is.
    bank_heist_bank(heisters, sum(bet) OVER game) AS lowest_bank,
    bank_heist_bank(
        heisters + rabble, sum(bet) OVER game + rabble * bank_heist_rabble_most()
    ) AS highest_bank,
    -- BH-19
    count(*) FILTER (crosser) OVER game AS crossers,
    count(*) FILTER (staying) OVER game AS staying_players,
    count(*) FILTER (straight) OVER game AS straights,
    CASE
        WHEN crossers = 0 THEN 'none'
        WHEN bank_heist_cross(crossers, staying_players) THEN 'succeeded'
        ELSE 'failed'
    END AS verdict,
    -- BH-20: what every crosser owes if it is exposed.
    CASE WHEN crosser THEN (before - bet) // 4 END AS quarter,
    list_sort(list(quarter) FILTER (crosser) OVER game) AS quarters,
    crossers > 0 AND count(*) FILTER (action = 'finger' AND can_succeed) OVER game > 0
        AS can_expose
FROM followed
WINDOW game AS (PARTITION BY log, game);
