-- The result that every match must have: by elimination, by a fault, or by the last call.
--   max_calls: After how many calls the settings have it a draw.
--   calls: Number of calls.
--   loser: The seat that lost its last card; NULL if none did.
--   out_at: The seq at which a player lost its last card.
--   failed_at: The seq at which a bot failed.
--   due: The reason for which it had to end; NULL if it had to go on.
--   winner: The seat that had to win; NULL in a draw.
--   due_scores: The scores that are due, by seat.
--   due_winners: The winners that are due.
--   expected: Reason, scores and winners that are due, as a text.
--   found: Reason, scores and winners in the log, as a text.
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
),
-- An imported history shows who gave up its second card, not what was left in its hand; CP-12.
given_up AS (
    SELECT log, min(seq) AS seq, arg_min(caller, seq) AS caller
    FROM (
        SELECT
            log, seq, caller,
            sum(if(line IN ('Aq^', 'Asq'), 2, 1)) OVER (
                PARTITION BY log, caller ORDER BY seq
            ) AS lost
        FROM coup_calls
        WHERE effects IS NULL AND coup_gives_up(appended)
    )
    WHERE lost >= 2
    GROUP BY log
)
SELECT
    log, match, finished AS seq, reason, scores, winners,
    (settings->>'max_calls')::BIGINT AS max_calls, calls,
    coalesce(out, given_up.caller) AS loser, coalesce(out_at, given_up.seq) AS out_at, failed_at,
    CASE
        WHEN loser IS NOT NULL THEN 'eliminated'
        WHEN failed IS NOT NULL THEN 'forfeit'
        WHEN calls >= max_calls THEN 'drawn'
        WHEN source = 'imported' THEN 'unfinished'
    END AS due,
    1 - coalesce(loser, failed) AS winner,
    CASE WHEN winner IS NULL THEN [0, 0] ELSE coup_by_seat(winner, 1, 0) END AS due_scores,
    CASE WHEN winner IS NULL THEN [] ELSE [winner] END AS due_winners,
    due || ', scores ' || shown(due_scores) || ', winners ' || shown(due_winners) AS expected,
    reason || ', scores ' || shown(scores) || ', winners ' || shown(winners) AS found
FROM matches
JOIN ends USING (log)
LEFT JOIN given_up USING (log);
