-- clause: SU-1
-- severity: error
-- kind: tournament
-- A game had more or fewer bots than set.
SELECT
    log, match, account.seq,
    attempts.seats || ' seats' AS expected, len(account.seats) || ' seats' AS found
FROM smallest_unique_account AS account
JOIN smallest_unique_attempts AS attempts USING (log, attempt)
WHERE type = 'match_played' AND len(account.seats) <> attempts.seats;
