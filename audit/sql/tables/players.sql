-- One row per seat of every match.
CREATE TABLE players AS
SELECT
    log, match, game, player.seat, player.name, player.bot,
    scores[player.seat + 1] AS score,
    list_contains(winners, player.seat) AS won
FROM (SELECT *, unnest(players) AS player FROM matches)
ORDER BY log, seat;
