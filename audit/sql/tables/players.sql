-- One row per seat of every match.
CREATE TABLE players AS
SELECT
    log, match, game, player.seat AS seat, player.name AS name, player.bot AS bot,
    scores[player.seat + 1] AS score,
    list_contains(winners, player.seat) AS won, void
FROM (SELECT *, unnest(players) AS player FROM matches)
ORDER BY log, seat;
