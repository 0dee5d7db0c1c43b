-- clause: BH-8
-- severity: error
-- A player that bet did not decide exactly once, or a player without a bet decided.
WITH bets AS (
    SELECT log, match, number, seat, min(seq) AS seq, if(max(bet) >= 1, 1, 0) AS due
    FROM bank_heist_bet GROUP BY ALL
),
decided AS (
    SELECT log, match, number, seat, min(seq) AS seq, count(*) AS times
    FROM bank_heist_acted GROUP BY ALL
)
SELECT
    log, match, coalesce(decided.seq, bets.seq) AS seq,
    'seat ' || seat || ': ' || coalesce(due, 0) AS expected,
    'seat ' || seat || ': ' || coalesce(times, 0) AS found, number AS game, seat
FROM bets
FULL JOIN decided USING (log, match, number, seat)
WHERE log IN (SELECT log FROM matches WHERE source = 'imported')
    AND (log, number) IN (SELECT (log, number) FROM bank_heist_credits_seen)
    AND coalesce(due, 0) <> coalesce(times, 0);
