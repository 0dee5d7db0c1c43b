-- clause: SU-9
-- severity: error
-- The record holds a reply of another step than the earliest that failed, or an answer where none is asked for.
SELECT
    log, replies.match, replies.seq,
    coalesce('replies to ' || step || ' alone', 'no replies: no bot failed') AS expected,
    type || ' to ' || ask AS found
FROM smallest_unique_replies AS replies
JOIN (SELECT log, step FROM smallest_unique_games) USING (log)
WHERE ask IS DISTINCT FROM step OR (type = 'answered' AND ask <> 'select');
