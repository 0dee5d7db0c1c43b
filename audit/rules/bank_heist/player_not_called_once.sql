-- clause: BH-3
-- severity: error
-- A player was not asked for its bet exactly once per game, or its bet is not recorded exactly
-- once.
WITH asked AS (
    SELECT log, game, seat, count(*) AS calls, min(seq) AS seq
    FROM bank_heist_decisions WHERE ask = 'bet' GROUP BY ALL
),
made AS (
    SELECT log, game, seat, count(*) AS bets, min(seq) AS seq
    FROM bank_heist_done WHERE ask = 'bet' GROUP BY ALL
)
SELECT
    log, match, coalesce(asked.seq, made.seq, around) AS seq,
    'seat ' || seat || ': one answer or fault, one bet' AS expected,
    coalesce(calls, 0) || ' and ' || coalesce(bets, 0) AS found
FROM bank_heist_settled
LEFT JOIN asked USING (log, game, seat)
LEFT JOIN made USING (log, game, seat)
WHERE (calls, bets) IS DISTINCT FROM (1, 1);
