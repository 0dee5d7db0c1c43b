-- clause: CP-5
-- severity: error
-- A reply was accepted that the line never allows, whatever coins and cards the players have.
SELECT
    log, match, seq,
    shown(coup_replies(line)) || ' after ' || shown(line) AS expected,
    shown(appended) AS found
FROM coup_calls
WHERE type = 'answered'
    AND NOT coalesce(list_contains(coup_replies(line), appended), false);
