-- One row per game: its events, each as a struct with its `seq` (NULL if missing, the first if
-- repeated), and the sums of the bets, the actions and the rabble's two strings.
--   game: The number of the game in its match, from 0.
--   players: Number of players.
--   rabble: Number of rabble members, drawn or not.
--   rabble_draw: The way in which rabble members are drawn: subset or size.
--   started: The event game_started.
--   closed: The event bets_closed.
--   rolled: The event heist_rolled; players and rabble are the two strings of fates.
--   judged: The event cross_judged.
--   shared: The event shared_out.
--   finished: The event game_finished.
--   symbols: The rabble's bets, one character per member, as in bets_closed.
--   drawn: Number of rabble members that take part.
--   rabble_betting: Number of rabble members that bet.
--   heisters: Number of participants that bet.
--   total: The sum of all bets, counted.
--   bank: The bank, from 0: the recorded one, or else the one that the bets choose.
--   crossers: Number of players that double cross, D (BH-19).
--   staying_players: Number of players that stay, N (BH-19).
--   staying: Number of participants that stay.
--   crew: Number of players that stay and did not go all in.
--   straights: Number of players of the crew that do not double cross.
--   verdict: none without a cross, else succeeded or failed.

-- BH-7: the banks' thresholds, probabilities and odds, the latter two in billionths.
CREATE MACRO bank_heist_bank(heisters, total) AS
    least(4, (heisters + total // 100000) // 20)::BIGINT;
CREATE MACRO bank_heist_probability(bank) AS
    [540000000, 488000000, 425000000, 387000000, 324000000][bank + 1]::HUGEINT;
CREATE MACRO bank_heist_odds(bank) AS
    [800000000, 1100000000, 1300000000, 1650000000, 1950000000][bank + 1]::HUGEINT;

-- BH-28: the amounts that the rabble bets, by their characters.
CREATE MACRO bank_heist_amount(symbol) AS CASE symbol
    WHEN '1' THEN 69
    WHEN '2' THEN 420
    WHEN '3' THEN 6969
    WHEN '4' THEN 80085
    ELSE 0
END;

-- BH-19: whether D crossers among N staying players succeed.
CREATE MACRO bank_heist_cross(crossers, staying_players) AS
    crossers <= greatest(1, staying_players // 10);

CREATE VIEW bank_heist_games AS
WITH place AS (
    SELECT log, seq, game FROM bank_heist_course
),
starts AS (
    SELECT
        log, event.match, place.game,
        {seq: seq, participants: participants} AS started
    FROM bank_heist_game_started AS event
    JOIN place USING (log, seq)
),
closings AS (
    SELECT log, place.game, arg_min({
        seq: seq, heisters: heisters, total: total, bank: bank, rabble_bets: rabble_bets
    }, seq) AS closed
    FROM bank_heist_bets_closed
    JOIN place USING (log, seq)
    GROUP BY ALL
),
rolls AS (
    SELECT log, place.game, arg_min({
        seq: seq, staying: staying, players: player_fates, rabble: rabble_fates
    }, seq) AS rolled
    FROM bank_heist_heist_rolled
    JOIN place USING (log, seq)
    GROUP BY ALL
),
judgements AS (
    SELECT log, place.game, arg_min({
        seq: seq, crossers: crossers, staying_players: staying_players, succeeded: succeeded
    }, seq) AS judged
    FROM bank_heist_cross_judged
    JOIN place USING (log, seq)
    GROUP BY ALL
),
share_outs AS (
    SELECT log, place.game, arg_min({
        seq: seq, straights: straights, straights_sum: straights_sum,
        crossers_sum: crossers_sum, pot: pot,
        straight_share: straight_share, crosser_share: crosser_share
    }, seq) AS shared
    FROM bank_heist_shared_out
    JOIN place USING (log, seq)
    GROUP BY ALL
),
ends AS (
    SELECT log, place.game, arg_min({
        seq: seq, credits: credits, rabble_credits: rabble_credits
    }, seq) AS finished
    FROM bank_heist_game_finished
    JOIN place USING (log, seq)
    GROUP BY ALL
),
players AS (
    SELECT
        log, game,
        count(*) FILTER (bet >= 1) AS betting,
        sum(bet) AS bet,
        count(*) FILTER (action = 'back out') AS backed_out,
        count(*) FILTER (action = 'all in') AS all_in,
        count(*) FILTER (action = 'double cross') AS crossing
    FROM bank_heist_done
    GROUP BY ALL
)
SELECT
    log, starts.match, game, seed,
    players,
    (settings->>'rabble')::BIGINT AS rabble,
    settings->>'rabble_draw' AS rabble_draw,
    started, closed, rolled, judged, shared, finished,
    coalesce(closed.rabble_bets, '') AS symbols,
    length(symbols) - occurrences(symbols, '.') AS drawn,
    drawn - occurrences(symbols, '0') AS rabble_betting,
    coalesce(betting, 0) + rabble_betting AS heisters,
    coalesce(bet, 0) + occurrences(symbols, '1') * 69 + occurrences(symbols, '2') * 420
        + occurrences(symbols, '3') * 6969 + occurrences(symbols, '4') * 80085 AS total,
    coalesce(closed.bank, bank_heist_bank(heisters, total)) AS bank,
    -- BH-19: D and N.
    coalesce(crossing, 0) AS crossers,
    coalesce(betting, 0) - coalesce(backed_out, 0) AS staying_players,
    staying_players + rabble_betting - occurrences(coalesce(rolled.rabble, ''), 'o') AS staying,
    staying - coalesce(all_in, 0) AS crew,
    crew - crossers AS straights,
    CASE
        WHEN crossers = 0 THEN 'none'
        WHEN coalesce(judged.succeeded = 1, bank_heist_cross(crossers, staying_players))
            THEN 'succeeded'
        ELSE 'failed'
    END AS verdict
FROM starts
JOIN (SELECT log, seed, settings, len(players) AS players FROM matches) USING (log)
LEFT JOIN closings USING (log, game)
LEFT JOIN rolls USING (log, game)
LEFT JOIN judgements USING (log, game)
LEFT JOIN share_outs USING (log, game)
LEFT JOIN ends USING (log, game)
LEFT JOIN players USING (log, game)
-- A short log can start many games with many players, and is refused by its first ones.
WHERE game * players < started.seq;
