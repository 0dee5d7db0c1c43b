-- One row per line of the final table in a tournament's log.
--   place: The line of the table, from 1.
--   rank: The rank, from 1; ties share a rank.
--   name: The entrant's name.
--   score: The score, as the game's rulebook defines it.
--   games: Number of games played.
CREATE TABLE standings AS
SELECT
    finish.log, entrants.tournament, finish.game, finish.seq, place,
    standing.rank AS rank, standing.entrant AS entrant, entrants.name,
    standing.score AS score, standing.games AS games
FROM (
    SELECT
        _log AS log, _game AS game, seq,
        unnest(standings) AS standing, generate_subscripts(standings, 1) AS place
    FROM raw.staged
    WHERE type = 'tournament_finished'
) AS finish
LEFT JOIN (SELECT log, tournament, entrant, name FROM entrants) AS entrants
    ON entrants.log = finish.log AND entrants.entrant = standing.entrant
ORDER BY finish.log, finish.seq, place;
