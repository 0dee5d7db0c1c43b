-- clause: koth-log/1
-- severity: error
-- kind: contest
-- The entrants of a stage are not in the order in which their names were entered first.
WITH names AS (
    SELECT log, name, min(seq) AS first_seq FROM entries GROUP BY log, name
)
SELECT
    entrants.log, NULL AS match, 0 AS seq,
    entrants.name || ' before ' || lag(entrants.name) OVER above AS expected,
    entrants.name || ' after ' || lag(entrants.name) OVER above AS found
FROM stages
JOIN entrants ON entrants.log = tournament_log
JOIN names ON names.log = stages.log AND names.name = entrants.name
WINDOW above AS (PARTITION BY stages.log, entrants.log ORDER BY entrant)
QUALIFY first_seq < lag(first_seq) OVER above;
