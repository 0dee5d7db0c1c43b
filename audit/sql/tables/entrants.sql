-- One row per bot of every tournament.
CREATE VIEW entrants AS
SELECT log, tournament, game, entrant.entrant, entrant.name, entrant.bot
FROM (SELECT log, tournament, game, unnest(entrants) AS entrant FROM raw.common);
