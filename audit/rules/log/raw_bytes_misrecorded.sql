-- clause: koth-log/1
-- severity: error
-- A bot's bytes are not recorded as text if they are UTF-8 and as base64 otherwise, cut only at 64
-- KiB.
WITH answers_and_faults AS (
    FROM answered
    UNION ALL BY NAME
    SELECT * EXCLUDE (found) FROM faults
),
channels AS (
    SELECT
        log, match, seq,
        unnest([
            {channel: 'output', plain: output, coded: output_base64},
            {channel: 'appended', plain: appended, coded: appended_base64},
            {channel: 'file', plain: file, coded: file_base64}
        ], recursive := true),
        cut
    FROM answers_and_faults
),
lengths AS (
    SELECT
        *,
        from_base64(coded) AS bytes,
        coalesce(octet_length(bytes), strlen(plain), 0) AS length,
        coalesce(list_contains(cut, channel), false) AS is_cut
    FROM channels
)
SELECT
    log, match, seq,
    'up to 65536 bytes of ' || channel || ', text or else base64' AS expected,
    CASE
        WHEN plain IS NOT NULL AND coded IS NOT NULL THEN 'both'
        WHEN TRY(decode(bytes)) IS NOT NULL THEN 'base64 of text'
        WHEN coded <> to_base64(bytes) THEN 'base64 with bits that no byte has'
        WHEN is_cut AND length <> 65536 THEN length || ' bytes, said to be cut'
        WHEN length > 65536 THEN length || ' bytes'
    END AS found
FROM lengths
WHERE found IS NOT NULL
UNION ALL
SELECT
    log, match, seq,
    'no cut, or the names of channels that were cut' AS expected, shown(cut) AS found
FROM answers_and_faults
WHERE len(cut) = 0 OR len(list_distinct(cut)) < len(cut)
    OR NOT list_has_all(['output', 'appended', 'file'], cut);
