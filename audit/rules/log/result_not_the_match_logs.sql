-- clause: koth-log/1
-- severity: error
-- kind: tournament
-- The result that a tournament records for a match is not the one in the match's own log:
-- the first one, if there are several.
SELECT
    played.log, played.match, played.seq,
    own.reason || ', scores ' || shown(own.scores) || ', winners ' || shown(own.winners)
        || ', faults ' || shown(coalesce(own.faults, [])) AS expected,
    played.reason || ', scores ' || shown(played.scores) || ', winners ' || shown(played.winners)
        || ', faults ' || shown(played.faults) AS found
FROM schedule AS played
JOIN (
    SELECT tournament_log, match, reason, scores, winners, faults
    FROM matches
    JOIN (
        SELECT min(log) AS log, tournament_log FROM logs GROUP BY tournament_log, match
    ) USING (log)
    LEFT JOIN (
        SELECT log, list({seat: seat, kind: kind} ORDER BY seq) AS faults
        FROM faults GROUP BY log
    ) USING (log)
) AS own ON own.tournament_log = played.log AND own.match = played.match
WHERE found <> expected;
