-- clause: koth-log/1
-- severity: error
-- Two names of a contest differ in case or in the encoding of accents only, or two hashes of a name
-- after the first 12 digits only.
WITH versions AS (
    SELECT *, nfc_normalize(name) AS composed FROM entries
)
SELECT
    log, NULL AS match, greatest(one.seq, two.seq) AS seq,
    if(one.name = two.name, 'other digits than ' || one.bot, 'another name than ' || one.name)
        AS expected,
    if(one.name = two.name, two.bot, two.name) AS found
FROM versions AS one
JOIN versions AS two USING (log)
WHERE one.seq < two.seq AND (
    (one.name = two.name AND one.bot <> two.bot AND left(one.bot, 12) = left(two.bot, 12))
    OR (one.name <> two.name AND lower(one.composed) = lower(two.composed)
        AND upper(one.composed) = upper(two.composed))
);
