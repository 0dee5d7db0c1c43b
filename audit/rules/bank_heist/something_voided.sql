-- clause: BH-5
-- severity: error
-- kind: tournament
-- An entrant was disqualified or games were voided, which this game does not have.
SELECT log, NULL AS match, seq, 'neither' AS expected, what AS found
FROM (
    SELECT log, game, seq, 'entrant ' || entrant || ' disqualified' AS what FROM disqualified
    UNION ALL
    SELECT log, game, seq, 'attempt ' || attempt || ' voided' FROM voided
)
WHERE game = 'bank_heist';
