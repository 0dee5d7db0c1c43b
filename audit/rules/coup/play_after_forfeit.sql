-- clause: CP-17
-- severity: error
-- A call or an effect followed after a bot had failed.
SELECT DISTINCT ON (log)
    log, match, before.seq, 'the result, at once' AS expected, type AS found
FROM coup_results
JOIN (SELECT log, seq, type FROM coup_before) AS before USING (log)
WHERE before.seq > failed_at AND type <> 'finished'
ORDER BY log, before.seq;
