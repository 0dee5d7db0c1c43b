-- clause: BH-20
-- severity: error
-- A fingerer gained neither a quarter of a crosser's credits nor the share of the others.
SELECT
    log, match, seq,
    'seat ' || seat || ': 0 or a sum of ' || shown(quarters) AS expected,
    'seat ' || seat || ': at least ' || arg_min(least_share - share, (least_share, -share)) AS found,
    game, seat
FROM (
    SELECT log, match, seq, game, seat, quarters, bank, scene, min(least_share) AS least_share
    FROM bank_heist_seen_outcomes
    JOIN (
        SELECT log, game, seat, quarters FROM bank_heist_seen
        WHERE action = 'finger' AND verdict = 'succeeded'
    ) USING (log, game, seat)
    WHERE fits
    GROUP BY ALL
)
JOIN (SELECT log, game, bank, scene, least AS share FROM bank_heist_seen_shares)
    USING (log, game, bank, scene)
GROUP BY log, match, seq, game, seat, quarters
HAVING bool_and(least_share > share);
