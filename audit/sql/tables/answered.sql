-- The answers with an event of their own; `answers` also has those that share an event.
CREATE VIEW answered AS
SELECT
    _log AS log, _match AS match, _game AS game, seq, seat, ask,
    output, output_base64, appended, appended_base64, cut
FROM raw.common
WHERE type = 'answered';
