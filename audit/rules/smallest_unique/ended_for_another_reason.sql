-- clause: SU-9
-- severity: error
-- A game in which a bot failed is not void without winners, or another game is void.
SELECT
    log, match, seq,
    if(faults > 0, 'void, no winners', 'played') AS expected,
    reason || ', winners ' || shown(winners) AS found
FROM smallest_unique_games
WHERE reason <> if(faults > 0, 'void', 'played') OR (faults > 0 AND winners <> []);
