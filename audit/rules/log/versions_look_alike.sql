-- clause: koth-log/1
-- severity: error
-- Two names of a contest differ in case only, or two hashes of a name after the first 12 digits only.
SELECT
    log, NULL AS match, greatest(one.seq, two.seq) AS seq,
    if(one.name = two.name, 'other digits than ' || one.bot, 'another name than ' || one.name)
        AS expected,
    if(one.name = two.name, two.bot, two.name) AS found
FROM entries AS one
JOIN entries AS two USING (log)
WHERE one.seq < two.seq AND (
    (one.name = two.name AND one.bot <> two.bot AND left(one.bot, 12) = left(two.bot, 12))
    OR (one.name <> two.name AND lower(one.name) = lower(two.name)
        AND upper(one.name) = upper(two.name))
);
