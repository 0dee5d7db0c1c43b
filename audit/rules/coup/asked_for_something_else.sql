-- clause: CP-5
-- severity: error
-- What the log says was asked is not what the line asks for.
SELECT
    log, match, seq,
    question || ', after ' || shown(line) AS expected, ask AS found
FROM coup_calls
WHERE ask <> question;
