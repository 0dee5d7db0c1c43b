-- clause: BH-27
-- severity: error
-- An account did not grow by 0.14 %, rounded down.
WITH paid AS (
    SELECT log, game, seat, bank AS of_bank, arg_min({seq: seq, after: after}, seq) AS move
    FROM bank_heist_moves
    WHERE why = 'interest' AND what = 'account'
    GROUP BY ALL
),
balances AS (
    SELECT
        log, match, game, seat, around, of_bank,
        if(of_bank = bank, account_action, accounts[of_bank + 1]) AS balance
    FROM bank_heist_settled, range(5) AS banks(of_bank)
)
SELECT
    log, match, coalesce(move.seq, around) AS seq,
    'seat ' || seat || ', bank ' || of_bank || ': '
        || least(1000000000000000, balance + 14 * balance // 10000) AS expected,
    'seat ' || seat || ', bank ' || of_bank || ': ' || coalesce(move.after, balance) AS found
FROM balances
LEFT JOIN paid USING (log, game, seat, of_bank)
WHERE (balance > 0 OR move IS NOT NULL) AND found <> expected;
