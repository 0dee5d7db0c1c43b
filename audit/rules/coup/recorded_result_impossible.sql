-- clause: CP-2
-- severity: error
-- kind: tournament
-- The tournament recorded a result that no match can have.
SELECT
    log, match, seq,
    CASE reason
        WHEN 'drawn' THEN 'no points, no winner, no fault'
        WHEN 'eliminated' THEN '1 point for the one winner, no fault'
        WHEN 'forfeit' THEN '1 point for the one winner, a fault of the other'
        ELSE 'eliminated, forfeit or drawn'
    END AS expected,
    reason || ', scores ' || shown(scores) || ', winners ' || shown(winners) || ', faults ' || shown(faults) AS found
FROM schedule
WHERE game = 'coup' AND NOT coalesce(CASE reason
    WHEN 'drawn' THEN scores = [0, 0] AND winners = [] AND faults = []
    WHEN 'eliminated' THEN scores = coup_by_seat(winners[1], 1, 0)
        AND winners IN ([0], [1]) AND faults = []
    WHEN 'forfeit' THEN scores = coup_by_seat(winners[1], 1, 0)
        AND winners IN ([0], [1]) AND len(faults) = 1 AND faults[1].seat = 1 - winners[1]
END, false);
