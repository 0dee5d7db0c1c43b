-- clause: SU-9
-- severity: error
-- The log records a reply of another step than the earliest failed step, or an answer in a step
-- that asks for none.
SELECT
    log, replies.match, replies.seq,
    coalesce('replies to ' || step || ' alone', 'no replies: no bot failed') AS expected,
    type || ' to ' || ask AS found
FROM smallest_unique_replies AS replies
JOIN (SELECT log, step FROM smallest_unique_games) USING (log)
WHERE ask IS DISTINCT FROM step OR (type = 'answered' AND ask <> 'select');
