-- clause: CP-17
-- severity: error
-- A bot failed because of what it wrote, but the log does not record what it wrote.
SELECT
    log, match, seq,
    if(kind = 'illegal', 'what was appended', 'the file, or what was in its place') AS expected,
    'nothing' AS found
FROM faults
WHERE game = 'coup' AND CASE kind
    WHEN 'illegal' THEN coalesce(appended, appended_base64) IS NULL
    WHEN 'tampered' THEN coalesce(file, file_base64, faults.found) IS NULL
END;
