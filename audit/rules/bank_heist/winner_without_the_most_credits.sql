-- clause: BH-5
-- severity: error
-- The scores of a match are not the credits after the last game, or its winners are not all players
-- with the most credits.
WITH ends AS (
    SELECT log, arg_max(finished.credits, game) AS credits FROM bank_heist_games GROUP BY log
)
SELECT
    log, match, matches.finished AS seq,
    'played, scores ' || shown(credits) || ', winners ' || shown([
        n - 1 FOR n IN range(1, len(credits) + 1) IF credits[n] = list_max(credits)
    ]) AS expected,
    reason || ', scores ' || shown(scores) || ', winners ' || shown(winners) AS found
FROM matches
JOIN ends USING (log)
WHERE found <> expected;
