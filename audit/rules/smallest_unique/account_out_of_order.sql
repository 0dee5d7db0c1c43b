-- clause: SU-9
-- severity: error
-- kind: tournament
-- A disqualification is recorded before a game of its attempt.
SELECT log, match, seq, 'games above disqualifications' AS expected, match AS found
FROM smallest_unique_account
WHERE type = 'match_played' AND type_above = 'disqualified';
