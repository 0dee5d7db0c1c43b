-- What the bots answered, and the rules accepted, in every match.
CREATE VIEW answers AS
SELECT _log AS log, _match AS match, _game AS game, seq, seat, ask, output, output_base64, appended, appended_base64, cut
FROM raw.common
WHERE type = 'answered';
