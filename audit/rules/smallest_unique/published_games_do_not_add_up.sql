-- clause: SU-6
-- severity: error
-- kind: tournament
-- The games of a published table do not add up to entrants × games per entrant × seats.
SELECT
    log, NULL AS match, max(seq) AS seq,
    count(*) || ' × ' || max(per_entrant) || ' × ' || max(seats) || ' = '
        || count(*) * max(per_entrant) * max(seats) AS expected,
    sum(games)::VARCHAR AS found
FROM standings
JOIN (
    SELECT
        log,
        (settings->>'games_per_entrant')::BIGINT AS per_entrant,
        (settings->>'seats')::BIGINT AS seats
    FROM tournaments WHERE source = 'imported'
) USING (log)
WHERE game = 'smallest_unique'
GROUP BY log
HAVING sum(games) <> count(*) * max(per_entrant) * max(seats);
