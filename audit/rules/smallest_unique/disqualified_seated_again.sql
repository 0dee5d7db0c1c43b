-- clause: SU-9
-- severity: error
-- kind: tournament
-- An entrant disqualified in an earlier attempt played in a game.
SELECT
    log, match, account.seq,
    'entrants that are left' AS expected,
    shown([one FOR one IN account.seats IF NOT list_contains(remaining, one)]) AS found
FROM smallest_unique_account AS account
JOIN smallest_unique_attempts AS attempts USING (log, attempt)
WHERE type = 'match_played' AND NOT list_has_all(remaining, account.seats);
