-- The referee's word on the answers: how long a bot took, how it ended, what it complained of.
-- It is read from the files beside the logs when a query names this table. Of a class bot there is
-- one row, as the match ends.
--   seq: The number of the answer's event, or of the first of those that were asked for at once.
--   ask: What was asked; of a class bot, what it was asked for last.
--   ms: How long it took, in milliseconds; of a class bot, all its calls.
--   cpu_ms: How long it had a processor, in milliseconds.
--   waited_ms: How long it waited for a processor, in milliseconds.
--   slowest_ms: Of a class bot: its slowest call, in milliseconds.
--   exit: The exit status, negative for a signal.
--   error: Why it could not be started.
--   stderr: The end of what it wrote on standard error.
--   partial: What a bot that was stopped had written, by channel, in Base64.
--   again: What a bot said instead, when the match was gone on with; the recorded answer stands.
--   host: The machine on which the match was played.
--   system: Its operating system.
--   python: Its version of Python.
--   isolation: How far the bots were kept apart: sandbox, process or none.
CREATE TABLE evidence (
    log BIGINT,
    match VARCHAR,
    game VARCHAR,
    seq BIGINT,
    seat BIGINT,
    ask VARCHAR,
    ms DOUBLE,
    cpu_ms DOUBLE,
    waited_ms DOUBLE,
    slowest_ms DOUBLE,
    exit BIGINT,
    error VARCHAR,
    stderr VARCHAR,
    partial JSON,
    again JSON,
    host VARCHAR,
    system VARCHAR,
    python VARCHAR,
    isolation VARCHAR
);
