-- clause: CP-17
-- severity: error
-- An answer of more than 64 KiB was not recorded as an oversize fault.
SELECT log, match, seq, 'a fault, oversize' AS expected, what || ', cut: ' || shown(cut) AS found
FROM (
    SELECT log, match, seq, game, cut, 'accepted' AS what FROM answers
    UNION ALL
    SELECT log, match, seq, game, cut, kind FROM faults WHERE kind IN ('illegal', 'tampered')
)
-- A file that was changed may be longer than the log keeps: it has the history, too.
WHERE game = 'coup' AND len([
    channel FOR channel IN cut IF (what, channel) <> ('tampered', 'file')
]) > 0;
