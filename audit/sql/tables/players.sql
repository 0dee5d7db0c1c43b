-- One row per seat of every match.
--   name: The player's name, without white space and slashes.
--   bot: The hash of the bot's files and of its command.
--   score: The score of the seat; NULL if the match has no result.
--   won: Whether the seat is among the winners.
--   void: Whether its attempt is void; without the tournament's log, whether a later one follows.
CREATE TABLE players AS
SELECT
    log, match, game, player.seat AS seat, player.name AS name, player.bot AS bot,
    scores[player.seat + 1] AS score,
    list_contains(winners, player.seat) AS won, void
FROM (SELECT *, unnest(players) AS player FROM matches)
ORDER BY log, seat;
