-- How every match had to end: a player without cards, a fault, or the last call, whichever is there.
CREATE VIEW coup_results AS
WITH ends AS (
    SELECT
        log,
        first(seat ORDER BY seq) FILTER (type = 'card_lost' AND hand = '') AS out,
        min(seq) FILTER (type = 'card_lost' AND hand = '') AS out_at,
        first((call - 1) % 2 ORDER BY seq) FILTER (type = 'fault') AS failed,
        min(seq) FILTER (type = 'fault') AS failed_at,
        max(call) AS calls
    FROM coup_before
    GROUP BY log
)
SELECT
    log, match, finished AS seq, reason, scores, winners,
    (settings->>'max_calls')::BIGINT AS max_calls, calls, out_at, failed_at,
    CASE
        WHEN out IS NOT NULL THEN 'eliminated'
        WHEN failed IS NOT NULL THEN 'forfeit'
        WHEN calls >= max_calls THEN 'drawn'
    END AS due,
    1 - coalesce(out, failed) AS winner,
    CASE WHEN winner IS NULL THEN [0, 0] ELSE coup_by_seat(winner, 1, 0) END AS due_scores,
    CASE WHEN winner IS NULL THEN [] ELSE [winner] END AS due_winners,
    due || ', scores ' || shown(due_scores) || ', winners ' || shown(due_winners) AS expected,
    reason || ', scores ' || shown(scores) || ', winners ' || shown(winners) AS found
FROM matches
JOIN ends USING (log);
