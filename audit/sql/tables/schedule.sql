-- The matches of every tournament as its own log has them; number counts them from 0.
--   number: Its place among the matches of its tournament, from 0.
--   attempt: The attempt of the tournament, from 1.
--   void: Whether it counts for nothing: the log voids its attempt.
--   seal: The hash in the seal of the match's log.
CREATE TABLE schedule AS
SELECT
    _log AS log, _game AS game, seq, row_number() OVER (PARTITION BY _log ORDER BY seq) - 1 AS number,
    match, attempt_of(match) AS attempt,
    (_log, attempt_of(match)) IN (
        SELECT (_log, attempt) FROM raw.common WHERE type = 'voided'
    ) AS void,
    seats, reason, scores, winners, faults, seal
FROM raw.common
WHERE type = 'match_played'
ORDER BY _log, seq;
