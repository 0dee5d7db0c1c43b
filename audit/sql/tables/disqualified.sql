-- One row per disqualified entrant: the match in which it failed, and the kind of fault.
--   entrant: The entrant's number, from 0.
--   match: The match in which it failed.
--   kind: The kind of the fault.
CREATE VIEW disqualified AS
SELECT _log AS log, _game AS game, seq, entrant, match, kind
FROM raw.staged
WHERE type = 'disqualified';
