-- One row per attempt of a tournament that counts for nothing: how many matches it had, and why.
--   attempt: The attempt, from 1; match ids begin with it.
--   matches: How many matches were played in it.
--   reason: Why; the game's rulebook has the reasons.
CREATE VIEW voided AS
SELECT _log AS log, _game AS game, seq, attempt, matches, reason
FROM raw.common
WHERE type = 'voided';
