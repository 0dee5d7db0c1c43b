-- clause: CP-3
-- severity: error
-- A match ended although nobody was eliminated, nobody had failed, and calls were left.
SELECT
    log, match, seq,
    'up to ' || max_calls || ' calls' AS expected, found || ', after ' || calls AS found
FROM coup_results
WHERE due IS NULL OR (due = 'unfinished' AND found <> expected);
