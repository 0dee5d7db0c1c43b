-- clause: CP-5
-- severity: error
-- The recorded question is not the one that the line requires.
SELECT
    log, match, seq,
    question || ', after ' || shown(line) AS expected, ask AS found
FROM coup_calls
WHERE ask <> question;
