-- One row per player and game of an imported transcript: bounds of the player's odds (in billionths,
-- lists by bank), of its accounts and of the winnings of its bet. The transcript records neither the
-- bank nor, if it is an old one, the successes.
--   lowest_odds: The lowest odds that it can have at each bank.
--   highest_odds: The highest odds that it can have at each bank.
--   most_saved: The upper bound of its account at each bank.
CREATE VIEW bank_heist_seen_bounds AS
-- `followed` is computed once, not for every game.
WITH RECURSIVE followed AS MATERIALIZED (
    FROM bank_heist_seen
),
bounds AS (
    SELECT
        log, seat, 0::BIGINT AS game,
        [bank_heist_odds(b) FOR b IN range(5)] AS lowest_odds,
        [bank_heist_odds(b) FOR b IN range(5)] AS highest_odds,
        [0::HUGEINT FOR b IN range(5)] AS most_saved
    FROM followed WHERE game = 0
    UNION ALL
    SELECT
        log, seat, game + 1,
        -- BH-21: a wrong finger.
        [
            if(
                action = 'finger' AND can_succeed AND b BETWEEN lowest_bank AND highest_bank,
                greatest(0, lowest_odds[b + 1] - 50000000),
                lowest_odds[b + 1]
            ) FOR b IN range(5)
        ],
        -- BH-15
        [
            if(
                action = 'acquire intel' AND can_succeed
                AND b BETWEEN lowest_bank AND highest_bank,
                least(
                    1000000000000,
                    highest_odds[b + 1]
                    + 10000 * (bet + highest_odds[b + 1] * bet // 1000000000)
                ),
                highest_odds[b + 1]
            ) FOR b IN range(5)
        ],
        -- BH-17, BH-27
        [
            least(1000000000000000, saved + 14 * saved // 10000)
            FOR saved IN [
                if(
                    action = 'deposit' AND can_succeed
                    AND b BETWEEN lowest_bank AND highest_bank,
                    most_saved[b + 1] + bet + highest_odds[b + 1] * bet // 1000000000,
                    most_saved[b + 1]
                ) FOR b IN range(5)
            ]
        ]
    FROM bounds
    JOIN followed USING (log, seat, game)
)
SELECT * FROM bounds JOIN followed USING (log, seat, game);
