-- The answers that have an event of their own; what one event holds of all seats is not among them.
CREATE VIEW answered AS
SELECT
    _log AS log, _match AS match, _game AS game, seq, seat, ask,
    output, output_base64, appended, appended_base64, cut
FROM raw.common
WHERE type = 'answered';
