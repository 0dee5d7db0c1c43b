-- clause: SU-9
-- severity: error
-- A bot failed in a step that cannot follow after this number of rounds.
SELECT
    log, replies.match, replies.seq,
    CASE ask
        WHEN 'construct' THEN 'no round'
        WHEN 'update' THEN 'a round or more'
        ELSE 'fewer rounds than ' || due_rounds
    END || ' before ' || ask AS expected,
    rounds || ' rounds' AS found
FROM smallest_unique_replies AS replies
JOIN (SELECT log, rounds, due_rounds FROM smallest_unique_games) USING (log)
WHERE CASE ask
    WHEN 'construct' THEN rounds > 0
    WHEN 'update' THEN rounds = 0
    WHEN 'select' THEN rounds >= due_rounds
END;
