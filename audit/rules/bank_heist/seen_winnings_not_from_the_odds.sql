-- clause: BH-10
-- severity: error
-- A result shows winnings that the bet cannot bring at any bank.
WITH results AS (
    SELECT log, number AS game, seat, seq, any_value(winnings)::HUGEINT AS winnings
    FROM bank_heist_heist_seen WHERE succeeded = 1 GROUP BY ALL
),
banks AS (
    SELECT
        bounds.* EXCLUDE (seq), results.seq AS seq, winnings, bank,
        action IN ('acquire intel', 'deposit', 'all in') AS none,
        if(none, 0, bet + lowest_odds[bank + 1] * bet // 1000000000) AS least,
        if(none, 0, bet + highest_odds[bank + 1] * bet // 1000000000)
            + if(action = 'withdraw', most_saved[bank + 1], 0) AS most
    FROM bank_heist_seen_bounds AS bounds
    JOIN results USING (log, game, seat),
        range(5) AS banks(bank)
    WHERE bank BETWEEN lowest_bank AND highest_bank AND winnings IS NOT NULL
)
SELECT
    log, match, seq,
    'seat ' || seat || ': ' || array_to_string(
        list_distinct(list(if(least = most, '' || least, least || ' to ' || most) ORDER BY bank)),
        ', '
    ) AS expected,
    'seat ' || seat || ': ' || winnings AS found, game, seat
FROM banks
GROUP BY log, match, seq, game, seat, winnings
HAVING NOT bool_or(winnings BETWEEN least(least, 1000000000000000) AND most);
