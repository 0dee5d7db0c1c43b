-- clause: koth-log/1
-- severity: error
-- kind: tournament
-- A tournament's log says of a match that it shares its dice, and not with an earlier match.
SELECT
    log, played.match, played.seq,
    'the dice of an earlier match' AS expected, 'the dice of ' || (event->>'dice') AS found
FROM events AS played
WHERE type = 'match_played' AND event->>'dice' IS NOT NULL AND NOT EXISTS (
    FROM schedule AS above
    WHERE above.log = played.log AND above.seq < played.seq AND above.match = event->>'dice'
);
