-- clause: koth-log/1
-- severity: error
-- The revealed seed does not match its commitment.
SELECT
    log, match, NULL AS seq,
    'a seed with the hash ' || seed_commitment AS expected, sha256(seed) AS found
FROM (
    SELECT log, match, seed, seed_commitment FROM matches
    UNION ALL
    SELECT log, NULL, seed, seed_commitment FROM tournaments
)
WHERE sha256(seed) <> seed_commitment;
