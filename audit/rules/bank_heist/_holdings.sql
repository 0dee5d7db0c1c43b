-- The holdings of every player at the start of a game, from earlier movements. Lists are by bank. An
-- amount above its bound (BH-31), which has a rule of its own, counts as the bound.
--   credits: Its credits.
--   salary: Its salary, in credits.
--   employed: 1 if it has a job, else 0.
--   accounts: What its account at each bank holds, in credits.
--   guards: Number of guards that it pays at each bank.
--   probabilities: Its probability of success at each bank, in billionths.
--   odds: Its odds at each bank, in billionths.

-- BH-31: the bound of each amount. Nobody can buy more guards than there are games.
CREATE MACRO bank_heist_most(what) AS CASE what
    WHEN 'odds' THEN 1000000000000
    WHEN 'probability' THEN 1000000000
    WHEN 'guards' THEN 100000
    WHEN 'employed' THEN 1
    ELSE 1000000000000000
END;

-- BH-2: the holdings at the start of a match.
CREATE MACRO bank_heist_initial(what, bank) AS CASE what
    WHEN 'credits' THEN 240
    WHEN 'salary' THEN 240
    WHEN 'employed' THEN 1
    WHEN 'probability' THEN bank_heist_probability(bank)::BIGINT
    WHEN 'odds' THEN bank_heist_odds(bank)::BIGINT
    ELSE 0
END;

CREATE VIEW bank_heist_holdings AS
WITH things AS (
    SELECT what, NULL AS bank FROM (SELECT unnest(['credits', 'salary', 'employed']) AS what)
    UNION ALL
    SELECT what, bank
    FROM (SELECT unnest(['account', 'guards', 'probability', 'odds']) AS what),
        range(5) AS banks(bank)
),
due AS (
    SELECT
        log, game, seat, what, things.bank, coalesce(things.bank, 0) AS of_bank,
        started.seq AS start
    FROM bank_heist_games, range(players) AS seats(seat), things
),
moves AS (
    SELECT log, seq, seat, what, coalesce(bank, 0) AS of_bank, after FROM bank_heist_moved
),
amounts AS (
    SELECT
        due.log, due.game, due.seat, due.what, due.bank,
        least(
            coalesce(moves.after, bank_heist_initial(due.what, due.bank)), bank_heist_most(due.what)
        )::HUGEINT AS amount
    FROM due
    ASOF LEFT JOIN moves
        ON moves.log = due.log AND moves.seat = due.seat AND moves.what = due.what
        AND moves.of_bank = due.of_bank AND due.start > moves.seq
)
SELECT
    log, game, seat,
    any_value(amount) FILTER (what = 'credits') AS credits,
    any_value(amount) FILTER (what = 'salary') AS salary,
    any_value(amount) FILTER (what = 'employed') AS employed,
    list(amount ORDER BY bank) FILTER (what = 'account') AS accounts,
    list(amount ORDER BY bank) FILTER (what = 'guards') AS guards,
    list(amount ORDER BY bank) FILTER (what = 'probability') AS probabilities,
    list(amount ORDER BY bank) FILTER (what = 'odds') AS odds
FROM amounts
GROUP BY log, game, seat;
