-- clause: koth-log/1
-- severity: error
-- kind: tournament
-- The players of a match are not the entrants that its tournament seated.
SELECT
    players.log, players.match, 0 AS seq,
    coalesce(entrants.name || ', bot ' || entrants.bot, 'nobody') AS expected,
    players.name || ', bot ' || players.bot AS found, seat
FROM players
JOIN (SELECT log, tournament_log FROM logs) AS own ON own.log = players.log
JOIN (
    SELECT log, match, arg_min(seats, seq) AS seats FROM schedule GROUP BY log, match
) AS played ON played.log = tournament_log AND played.match = players.match
LEFT JOIN entrants ON entrants.log = tournament_log AND entrants.entrant = seats[seat + 1]
WHERE (players.name, players.bot) IS DISTINCT FROM (entrants.name, entrants.bot);
