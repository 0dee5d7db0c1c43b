-- clause: BH-26
-- severity: error
-- The number of guards that left is not the number of unpaid bribes, or they are not the ones that
-- the dice draw.
WITH guards AS (
    SELECT
        log, game, seat, guards_in_all - credits_paid AS unpaid,
        list_concat(all_guards[:bank], [guards_action], all_guards[bank + 2:]) AS by_bank,
        count(CASE WHEN action = 'buy guard' THEN 1 END) OVER (
            PARTITION BY log, seat ORDER BY game
        ) AS bought
    FROM bank_heist_settled
    QUALIFY guards_in_all > credits_paid
),
named AS (
    SELECT log, game, seat, unpaid, bank, unnest(range(1, by_bank + 1)) AS k
    FROM (
        SELECT
            log, game, seat, unpaid,
            -- Nobody has more guards than it bought.
            least(unnest(by_bank), bought)::BIGINT AS by_bank,
            generate_subscripts(by_bank, 1) - 1 AS bank
        FROM guards
    )
),
drawn AS (
    SELECT
        log, game, seat, unpaid, bank,
        row_number() OVER (PARTITION BY log, game, seat ORDER BY shuffle_key(
            seed, 'game/' || game || '/leaving/' || seat, bank || '/' || k
        )) AS nth
    FROM named
    JOIN (SELECT log, seed FROM matches) USING (log)
),
due AS (
    SELECT log, game, seat, list(bank ORDER BY nth) AS banks
    FROM drawn WHERE nth <= unpaid GROUP BY ALL
),
gone AS (
    SELECT log, game, seat, list(bank ORDER BY seq) AS banks, min(seq) AS seq
    FROM bank_heist_moves
    WHERE why = 'guard_left' AND what = 'guards'
    GROUP BY ALL
)
SELECT
    log, match, coalesce(gone.seq, around) AS seq,
    'seat ' || seat || ': one each at ' || shown(coalesce(due.banks, [])) AS expected,
    'seat ' || seat || ': one each at ' || shown(coalesce(gone.banks, [])) AS found
FROM due
FULL JOIN gone USING (log, game, seat)
JOIN bank_heist_settled USING (log, game, seat)
WHERE found <> expected;
