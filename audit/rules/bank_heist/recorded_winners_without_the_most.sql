-- clause: BH-5
-- severity: error
-- kind: tournament
-- The winners that the tournament recorded are not exactly the players with the most credits.
SELECT
    log, match, seq,
    'played, 0 to 10^15 credits, winners ' || shown([
        n - 1 FOR n IN range(1, len(scores) + 1) IF scores[n] = list_max(scores)
    ]) AS expected,
    reason || ', scores ' || shown(scores) || ', winners ' || shown(winners) AS found
FROM schedule
WHERE game = 'bank_heist' AND NOT (
    reason = 'played'
    AND list_min(scores) >= 0 AND list_max(scores) <= 1000000000000000
    AND winners = [n - 1 FOR n IN range(1, len(scores) + 1) IF scores[n] = list_max(scores)]
);
