-- clause: CP-17
-- severity: error
-- A fault was recorded under another clause, or with another penalty than the forfeit.
SELECT
    log, match, seq,
    'forfeit under CP-17' AS expected, penalty || ' under ' || clause AS found
FROM faults
WHERE game = 'coup' AND (penalty <> 'forfeit' OR clause <> 'CP-17');
