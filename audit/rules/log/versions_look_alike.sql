-- clause: koth-log/1
-- severity: error
-- kind: contest
-- Two names of a contest differ in case or in the encoding of accents only, or two hashes of a name
-- after the first 12 digits only. Each is compared with the first of those that look like it.
WITH versions AS (
    SELECT
        log, seq, name, bot,
        first_value(bot) OVER (PARTITION BY log, name, left(bot, 12) ORDER BY seq) AS first_bot,
        first_value(name) OVER (
            PARTITION BY log, lower(nfc_normalize(name)), upper(nfc_normalize(name)) ORDER BY seq
        ) AS first_name
    FROM entries
)
SELECT
    log, NULL AS match, seq,
    if(name = first_name, 'other digits than ' || first_bot, 'another name than ' || first_name)
        AS expected,
    if(name = first_name, bot, name) AS found
FROM versions
WHERE name <> first_name OR bot <> first_bot;
