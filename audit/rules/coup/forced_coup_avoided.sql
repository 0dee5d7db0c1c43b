-- clause: CP-6
-- severity: error
-- A player with 10 or more coins did not begin its turn with a coup.
SELECT
    log, match, seq,
    '"C": the player has ' || own || ' coins' AS expected, shown(appended) AS found
FROM coup_calls
WHERE type = 'answered' AND line = '' AND own >= 10 AND appended <> 'C';
