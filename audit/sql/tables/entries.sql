-- One row per event `entered` or `revised` in a contest.
--   version: The number of the version, from 1; files that come again are the same version.
--   first_stage: The first stage that it could play.
--   last_stage: The last stage that it could play; NULL if it is in, less than first_stage if it could play none.
--   ended: revised or withdrawn; NULL if it is in.
--   ended_seq: The number of that event.
--   command: The bot's command; NULL if its only file implies it.
--   class_name: The Python class that plays; NULL if the bot is a program.
CREATE TABLE entries AS
WITH changes AS (
    SELECT
        _log, seq, type, name, bot, command, class_name,
        count(CASE WHEN type = 'stage_started' THEN 1 END) OVER (
            PARTITION BY _log ORDER BY seq
        ) AS stages_above
    FROM raw.staged
    WHERE type IN ('entered', 'revised', 'withdrawn', 'stage_started')
),
named AS (
    SELECT
        *,
        min(seq) OVER (PARTITION BY _log, name, bot) AS first_seq,
        lead(type) OVER bot AS ended,
        lead(seq) OVER bot AS ended_seq,
        lead(stages_above) OVER bot AS last_stage
    FROM changes
    WHERE type <> 'stage_started'
    WINDOW bot AS (PARTITION BY _log, name ORDER BY seq)
)
SELECT
    _log AS log, contests.contest, contests.game, seq, name, bot,
    dense_rank() OVER (PARTITION BY _log, name ORDER BY first_seq) AS version,
    stages_above + 1 AS first_stage, last_stage, ended, ended_seq,
    command, class_name
FROM named
JOIN contests ON contests.log = _log
WHERE type <> 'withdrawn'
ORDER BY log, seq;
