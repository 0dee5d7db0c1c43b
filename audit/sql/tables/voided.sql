-- One row per attempt of a tournament that counts for nothing: how many matches it had, and why.
CREATE VIEW voided AS
SELECT _log AS log, _game AS game, seq, attempt, matches, reason
FROM raw.common
WHERE type = 'voided';
