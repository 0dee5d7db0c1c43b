-- clause: koth-log/1
-- severity: error
-- kind: contest
-- A contest has more stages than its chain has seeds.
SELECT
    log, NULL AS match, stages.seq,
    seeds || ' stages at most' AS expected, 'stage ' || stage AS found
FROM stages
JOIN contests USING (log)
WHERE stage > seeds;
