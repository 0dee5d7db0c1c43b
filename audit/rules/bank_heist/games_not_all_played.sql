-- clause: BH-1
-- severity: error
-- The number of games was not drawn first, or the games were not played exactly once each, in
-- order.
WITH games AS (
    SELECT log, min(seq) AS seq, count(*) AS drawings, arg_min(games, seq) AS games
    FROM bank_heist_games_drawn GROUP BY log
),
starts AS (
    SELECT log, count(*) AS started FROM bank_heist_game_started GROUP BY log
)
SELECT
    log, matches.match, coalesce(games.seq, 1) AS seq,
    'one drawing, at seq 1, and as many games' AS expected,
    coalesce(drawings, 0) || ' drawings, the first at seq ' || coalesce(games.seq, 0) || ', of '
        || coalesce(games, 0) || '; ' || coalesce(started, 0) || ' games' AS found
FROM matches
LEFT JOIN games USING (log)
LEFT JOIN starts USING (log)
WHERE game = 'bank_heist' AND source IS NULL
    AND (drawings, games.seq, games) IS DISTINCT FROM (1, 1, coalesce(started, 0));
