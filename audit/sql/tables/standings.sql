-- The final tables as the tournaments' logs have them; place counts their lines from 1.
--   place: The line of the table, from 1.
--   rank: From 1; equal scores share it.
--   name: The entrant's name.
--   score: What the game ranks by; its rulebook says.
--   games: Games played.
CREATE TABLE standings AS
SELECT
    finish.log, entrants.tournament, finish.game, finish.seq, place,
    standing.rank AS rank, standing.entrant AS entrant, entrants.name,
    standing.score AS score, standing.games AS games
FROM (
    SELECT
        _log AS log, _game AS game, seq,
        unnest(standings) AS standing, generate_subscripts(standings, 1) AS place
    FROM raw.common
    WHERE type = 'tournament_finished'
) AS finish
LEFT JOIN (SELECT log, tournament, entrant, name FROM entrants) AS entrants
    ON entrants.log = finish.log AND entrants.entrant = standing.entrant
ORDER BY finish.log, finish.seq, place;
