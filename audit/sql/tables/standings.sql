-- The final tables as the tournaments' logs have them.
CREATE TABLE standings AS
SELECT
    log, entrants.tournament, game, seq, place,
    standing.rank, standing.entrant, entrants.name, standing.score, standing.games
FROM (
    SELECT
        log, game, seq,
        unnest(standings) AS standing, generate_subscripts(standings, 1) AS place
    FROM raw.common
    WHERE type = 'tournament_finished'
) AS finish
LEFT JOIN entrants USING (log, game)
WHERE entrants.entrant IS NULL OR entrants.entrant = standing.entrant
ORDER BY log, seq, place;
