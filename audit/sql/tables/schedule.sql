-- One row per match in a tournament's own log.
--   number: The match's position in its tournament, from 0.
--   attempt: The attempt of the tournament, from 1.
--   void: Whether the log voids the match's attempt.
--   dice: The match whose seed it has: an earlier one if they share their dice, else its own id.
--   seal: The hash in the seal of the match's log.
CREATE TABLE schedule AS
SELECT
    _log AS log, _game AS game, seq, row_number() OVER (PARTITION BY _log ORDER BY seq) - 1 AS number,
    match, attempt_of(match) AS attempt,
    (_log, attempt_of(match)) IN (
        SELECT (_log, attempt) FROM raw.staged WHERE type = 'voided'
    ) AS void,
    coalesce(dice, match) AS dice, seats, reason, scores, winners, faults, seal
FROM raw.staged
WHERE type = 'match_played'
ORDER BY _log, seq;
