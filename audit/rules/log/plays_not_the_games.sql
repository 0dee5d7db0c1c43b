-- clause: koth-log/1
-- severity: error
-- kind: contest
-- A contest of Coup plays whole tournaments, or one of another game of Koth's plays pairings.
SELECT
    log, NULL AS match, 0 AS seq,
    if(game = 'coup', 'pairings', 'tournaments') AS expected, plays AS found
FROM contests
WHERE game IN ('bank_heist', 'coins', 'coup', 'smallest_unique') AND found <> expected;
