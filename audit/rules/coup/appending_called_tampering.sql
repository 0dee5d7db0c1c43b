-- clause: CP-17
-- severity: error
-- A bot was faulted for tampering with the file although it only appended to it.
SELECT
    log, faults.match, faults.seq,
    'a file that does not begin with ' || shown(history) AS expected,
    shown(coalesce(file, file_base64)) AS found
FROM faults
JOIN (
    SELECT log, coalesce(string_agg(appended, '' ORDER BY seq) FILTER (type = 'answered'), '')
        AS history
    FROM coup_calls
    GROUP BY log
) USING (log)
WHERE kind = 'tampered'
    AND starts_with(coalesce(hex(file), hex(from_base64(file_base64))), hex(history));
