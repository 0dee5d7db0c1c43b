-- clause: SU-7
-- severity: error
-- kind: tournament
-- A published table counts although a bot in it played fewer games than required.
SELECT
    log, NULL AS match, seq,
    'at least ' || at_least || ' games of ' || name AS expected, games::VARCHAR AS found
FROM standings
JOIN (
    SELECT log, (settings->>'min_games_per_entrant')::BIGINT AS at_least
    FROM tournaments WHERE source = 'imported'
) USING (log)
WHERE game = 'smallest_unique' AND games < at_least;
