-- clause: SU-5
-- severity: error
-- The winners of a game are not all bots with the most points.
SELECT
    log, match, seq,
    shown(smallest_unique_best(scores)) || ' by ' || shown(scores) AS expected,
    shown(winners) AS found
FROM smallest_unique_games
WHERE faults = 0 AND winners <> smallest_unique_best(scores);
