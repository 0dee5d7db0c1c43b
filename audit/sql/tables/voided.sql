-- One row per voided attempt of a tournament.
--   attempt: The attempt, from 1; match ids begin with it.
--   matches: Number of matches played in it.
--   reason: The reason, as the game's rulebook defines it.
CREATE VIEW voided AS
SELECT _log AS log, _game AS game, seq, attempt, matches, reason
FROM raw.staged
WHERE type = 'voided';
