-- One row per entrant that is out of its tournament: in which match it failed, and how.
--   entrant: The entrant's number, from 0.
--   match: The match in which it failed.
--   kind: How it failed.
CREATE VIEW disqualified AS
SELECT _log AS log, _game AS game, seq, entrant, match, kind
FROM raw.common
WHERE type = 'disqualified';
