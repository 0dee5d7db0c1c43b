-- One row per member of the rabble and game that it was drawn for: its bet, its fate, its winnings,
-- and its credits as the game starts and ends. They follow from the two strings and the
-- share-out: the rabble is always employed, and never has other odds than at first.
--   member: The member's number, from 0.
--   symbol: What it bet, as the character in bets_closed.
--   fate: Its fate: `.` no heister, `o` backed out, `s` succeeded, `f` failed.
--   bet: Its bet, in credits.
--   staying: Whether it bet something and did not back out.
--   winnings: What its heist brought, the stake included (BH-10).
--   credits_after: Its credits at the end of the game.
--   credits: Its credits at the start of the game.
CREATE VIEW bank_heist_members AS
WITH members AS (
    SELECT
        log, game, bank, verdict, coalesce(shared.straight_share, 0) AS share,
        unnest(range(least(rabble, length(symbols)))) AS member,
        unnest(string_split(symbols, '')) AS symbol,
        unnest(string_split(coalesce(rolled.rabble, ''), '')) AS fate
    FROM bank_heist_games
),
changes AS (
    SELECT
        log, game, member, symbol, coalesce(nullif(fate, ''), '.') AS fate,
        bank_heist_amount(symbol) AS bet,
        coalesce(fate IN ('s', 'f'), false) AS staying,
        -- BH-10
        CASE fate
            WHEN 's' THEN bet + bank_heist_odds(bank) * bet // 1000000000
            ELSE 0
        END AS winnings,
        -- BH-22 to BH-25: paid in, shared out, and the paycheck.
        - if(staying, bet, 0)
        + if(staying, if(verdict = 'succeeded', 0, winnings) + share, 0)
        + if(fate = 'o', 0, 240) AS change
    FROM members
    WHERE member IS NOT NULL AND symbol NOT IN ('.', '')
),
walks AS (
    SELECT
        *,
        240 + sum(change) OVER (PARTITION BY log, member ORDER BY game) AS unbounded
    FROM changes
),
-- BH-31: credits stop at 10^15; what ran over until then is missing later.
ends AS (
    SELECT
        * EXCLUDE (unbounded, change),
        unbounded - greatest(
            0, max(unbounded - 1000000000000000) OVER (PARTITION BY log, member ORDER BY game)
        ) AS credits_after
    FROM walks
)
SELECT
    *,
    lag(credits_after, 1, 240) OVER (PARTITION BY log, member ORDER BY game) AS credits
FROM ends;
