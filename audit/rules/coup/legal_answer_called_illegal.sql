-- clause: CP-17
-- severity: error
-- An answer was rejected as illegal although it was legal.
SELECT
    log, calls.match, calls.seq,
    'accepted: one of ' || shown(legal) AS expected,
    'illegal: ' || shown(calls.appended)
        || if(question = 'exchange', ', choice ' || shown(calls.output), '') AS found
FROM coup_calls AS calls
JOIN (SELECT log, seq FROM faults WHERE kind = 'illegal') AS illegal
    USING (log, seq)
WHERE list_contains(legal, calls.appended) AND cut IS NULL
    AND (question <> 'exchange' OR coup_is_choice(calls.output, offered, hand));
