-- clause: koth-log/1
-- severity: error
-- kind: contest
-- A bot is entered although it is in, or withdrawn or revised although it is not, or revised without
-- another hash.
WITH changes AS (
    SELECT
        log, seq, type, event->>'name' AS name, event->>'bot' AS bot,
        coalesce(lag(type) OVER before, 'withdrawn') AS last,
        lag(event->>'bot') OVER before AS last_bot
    FROM events
    WHERE type IN ('entered', 'revised', 'withdrawn')
    WINDOW before AS (PARTITION BY log, event->>'name' ORDER BY seq)
)
SELECT
    log, NULL AS match, seq,
    CASE
        WHEN last = 'withdrawn' AND type <> 'entered' THEN name || ' entered'
        WHEN last <> 'withdrawn' AND type = 'entered' THEN name || ' revised or withdrawn'
        WHEN type = 'revised' AND bot = last_bot THEN 'another version of ' || name
    END AS expected,
    if(type = 'revised' AND bot = last_bot, 'the same', name || ' ' || type) AS found
FROM changes
WHERE expected IS NOT NULL;
