-- clause: SU-9
-- severity: error
-- kind: tournament
-- An attempt continued after its first game with a fault.
SELECT log, match, account.seq, 'no game after a fault' AS expected, match AS found
FROM smallest_unique_account AS account
JOIN (SELECT log, attempt, faulty FROM smallest_unique_attempts) USING (log, attempt)
WHERE type = 'match_played' AND number > faulty;
