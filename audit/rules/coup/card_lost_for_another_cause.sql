-- clause: CP-14
-- severity: error
-- The recorded cause of a lost card is not the cause that the line gives.
SELECT log, match, seq, due || ', after ' || shown(line) AS expected, cause AS found
FROM (
    SELECT *, CASE
        WHEN nth > 1 THEN 'assassination'  -- CP-12
        WHEN line = 'C' THEN 'coup'
        WHEN line = 'A' THEN 'assassination'
        WHEN line[-1] = 'q' THEN 'false_claim'
        WHEN coup_shows(line[-1]) THEN 'wrong_challenge'
    END AS due
    FROM coup_effects
    WHERE type = 'card_lost'
)
WHERE cause <> due;
