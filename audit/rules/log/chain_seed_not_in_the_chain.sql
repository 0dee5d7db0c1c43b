-- clause: koth-log/1
-- severity: error
-- kind: contest
-- The SHA-256 of a stage's chain seed is not the chain seed of the stage before, or the head.
SELECT
    log, NULL AS match, stages.finished AS seq,
    coalesce(lag(stages.seed) OVER (PARTITION BY log ORDER BY stage), contests.seed_commitment)
        AS expected,
    sha256(stages.seed) AS found
FROM stages
JOIN contests USING (log)
QUALIFY expected <> found;
