-- clause: CP-17
-- severity: error
-- The record of a fault contains a field that only another kind of fault can have.
SELECT
    log, match, seq,
    if(kind = 'illegal', 'what was appended', 'the file, or what was in its place') || ' alone' AS expected,
    shown(alien) AS found
FROM (
    SELECT log, match, seq, kind, CASE kind
        WHEN 'illegal' THEN coalesce(file, file_base64, found)
        WHEN 'tampered' THEN coalesce(appended, appended_base64)
    END AS alien
    FROM faults
    WHERE game = 'coup'
)
WHERE alien IS NOT NULL;
