-- The faults of bots: kind, clause, penalty and the bot's answer.
CREATE VIEW faults AS
SELECT
    _log AS log, _match AS match, _game AS game, seq, seat, kind, clause, penalty, ask, found,
    output, output_base64, appended, appended_base64, file, file_base64, cut
FROM raw.common
WHERE type = 'fault';
