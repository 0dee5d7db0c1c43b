-- clause: CP-2
-- severity: error
-- A call or an effect followed after a player had lost its last card.
SELECT DISTINCT ON (log)
    log, match, before.seq, 'the result, at once' AS expected, type AS found
FROM coup_results
JOIN (SELECT log, seq, type FROM coup_before) AS before USING (log)
WHERE before.seq > out_at AND type <> 'finished'
ORDER BY log, before.seq;
