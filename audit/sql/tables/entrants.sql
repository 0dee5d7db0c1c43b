-- One row per bot of every tournament.
--   name: The bot's name, without white space and slashes.
--   bot: The hash of the bot's files and of its command.
CREATE VIEW entrants AS
SELECT
    log, tournament, game,
    one.entrant AS entrant, one.name AS name, one.bot AS bot
FROM (SELECT _log AS log, tournament, game, unnest(entrants) AS one FROM raw.staged);
