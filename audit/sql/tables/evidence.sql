-- The referee's notes on each answer: times, exit status and standard error, which no replay checks.
-- They are read from the files beside the logs when a query names this table. A class bot has one
-- row with times per match, and one for each answer at which it wrote to standard error.
--   seq: The number of the answer's event, or of the first of several simultaneous answers.
--   ask: The question; for a class bot, its last question.
--   ms: Milliseconds until the answer; for a class bot, the sum over all calls.
--   cpu_ms: Milliseconds of processor time.
--   waited_ms: Milliseconds spent waiting for a processor.
--   slowest_ms: Milliseconds of a class bot's slowest call.
--   exit: The exit status, negative for a signal.
--   error: The reason why the bot could not be started.
--   stderr: The end of the bot's standard error.
--   partial: The output of a bot before it was stopped, by channel, in Base64.
--   again: A bot's different answer when the match was resumed; the recorded answer remains valid.
--   host: The machine on which the match was played.
--   system: The machine's operating system.
--   python: The version of Python.
--   isolation: The isolation of the bots: sandbox, process or none.
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
