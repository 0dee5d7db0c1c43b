-- The referee's notes on each answer: times, exit status and standard error, which no replay checks.
-- They are read from the files beside the logs when a query names this table. A class bot has one
-- row with times per match, and one for each answer at which it wrote to standard error.
--   seq: The number of the answer's event, or of the first of several simultaneous answers.
--   ask: The question; for a class bot, its last question.
--   ms: Milliseconds until the answer; for a class bot, the sum over all calls.
--   cpu_ms: Milliseconds of processor time.
--   waited_ms: Milliseconds spent waiting for a processor.
--   slowest_ms: Milliseconds of a class bot's slowest call.
--   in_step: Number of matches that were played side by side; it divides the times.
--   exit: The exit status, negative for a signal.
--   ahead: Whether the bot's interpreter was started before its question.
--   error: The reason why the bot could not be started.
--   stderr: The end of the bot's standard error.
--   partial: The output of a bot before it was stopped, by channel, in Base64.
--   early: Whether a stream bot wrote the answer, or a part of it, before the question.
--   ended_earlier: Whether a stream or class bot was not asked, because an earlier fault had ended it.
--   resumed_after: Number of steps that a class bot was given again in a process of its own.
--   answered_otherwise: The steps in which its new answer was different, and did not count.
--   again: A bot's different answer when the match was resumed; the recorded answer remains valid.
--   host: The machine on which the match was played.
--   system: The machine's operating system.
--   python: The version of Python.
--   isolation: The isolation of the bots: sandbox, process or none.
--   limits: The limits of the bots, in seconds and bytes.
--   binds: Additional paths that bots could read.
--   in_process: The seats of Python functions, which run without isolation and limits.
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
    in_step BIGINT,
    exit BIGINT,
    ahead BOOLEAN,
    error VARCHAR,
    stderr VARCHAR,
    partial JSON,
    early BOOLEAN,
    ended_earlier BOOLEAN,
    resumed_after BIGINT,
    answered_otherwise BIGINT[],
    again JSON,
    host VARCHAR,
    system VARCHAR,
    python VARCHAR,
    isolation VARCHAR,
    limits JSON,
    binds VARCHAR[],
    in_process BIGINT[]
);
