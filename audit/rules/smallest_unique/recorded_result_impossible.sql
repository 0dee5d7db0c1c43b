-- clause: SU-5
-- severity: error
-- kind: tournament
-- The tournament recorded a result that no game can have.
SELECT
    log, match, seq,
    CASE reason
        WHEN 'played' THEN 'winners ' || shown(smallest_unique_best(scores)) || ', no fault'
        WHEN 'void' THEN 'no winners, some fault'
        ELSE 'played or void'
    END || ', at most one point per round' AS expected,
    reason || ', scores ' || shown(scores) || ', winners ' || shown(winners) || ', faults '
        || shown(faults) AS found
FROM schedule
JOIN (SELECT log, (settings->>'rounds')::BIGINT AS rounds FROM tournaments) USING (log)
WHERE game = 'smallest_unique' AND NOT coalesce(CASE reason
    WHEN 'played' THEN winners = smallest_unique_best(scores) AND faults = []
    WHEN 'void' THEN winners = [] AND len(faults) > 0
END AND list_min(scores) >= 0 AND list_sum(scores) <= rounds, false);
