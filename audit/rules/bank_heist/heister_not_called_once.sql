-- clause: BH-8
-- severity: error
-- A heister was not asked for its action exactly once, or its action is not recorded exactly once,
-- or another player was asked.
WITH asked AS (
    SELECT log, game, seat, count(*) AS calls, min(seq) AS seq
    FROM bank_heist_decisions WHERE ask = 'action' GROUP BY ALL
),
done AS (
    SELECT log, game, seat, count(*) AS actions, min(seq) AS seq
    FROM bank_heist_done WHERE ask = 'action' GROUP BY ALL
)
SELECT
    log, match, coalesce(asked.seq, done.seq, around) AS seq,
    'seat ' || seat || if(heister, ': one answer or fault, one action', ': no call without a bet')
        AS expected,
    coalesce(calls, 0) || ' and ' || coalesce(actions, 0) AS found
FROM bank_heist_settled
LEFT JOIN asked USING (log, game, seat)
LEFT JOIN done USING (log, game, seat)
WHERE coalesce(calls, 0) <> heister::INT OR coalesce(actions, 0) <> heister::INT;
