-- clause: SU-8
-- severity: error
-- A bot failed in a step other than construction, update or selection.
SELECT
    log, match, seq, 'construct, update or select' AS expected, ask AS found
FROM smallest_unique_replies
WHERE type = 'fault' AND smallest_unique_step(ask) IS NULL;
