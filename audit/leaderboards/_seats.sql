-- Macros that all leaderboards use.

-- The contests of pairings in which all versions that are in now have been in a finished stage
-- together, so that no match between them is missing.
CREATE OR REPLACE TEMP MACRO complete_contests() AS TABLE
WITH present AS (  -- the entries, also earlier ones, of the versions that are in now
    SELECT * FROM entries
    WHERE (log, name, bot) IN (SELECT (log, name, bot) FROM entries WHERE ended IS NULL)
),
met AS (
    SELECT log, a.name AS name, a.bot AS bot, b.name AS other, b.bot AS other_bot
    FROM present AS a JOIN present AS b USING (log) JOIN contests USING (log)
    WHERE a.name < b.name
        AND greatest(a.first_stage, b.first_stage) <= least(a.last_stage, b.last_stage, finished)
)
SELECT log FROM contests
WHERE plays = 'pairings'
    AND NOT EXISTS (
        FROM entries AS a JOIN entries AS b USING (log)
        WHERE log = contests.log AND a.ended IS NULL AND b.ended IS NULL AND a.name < b.name
            AND (log, a.name, a.bot, b.name, b.bot) NOT IN (
                SELECT (log, name, bot, other, other_bot) FROM met
            )
    );

-- The bots in the standings of each contest, after the stage that the variable `stage` names. Without
-- the variable: the bots that are in now if no match between them is missing; otherwise those of the
-- last finished stage whose names are still in.
CREATE OR REPLACE TEMP MACRO standing() AS TABLE
WITH last AS (
    SELECT log, max(stage) AS stage FROM stages
    WHERE finished IS NOT NULL AND stage <= coalesce(getvariable('stage')::BIGINT, stage)
    GROUP BY log
)
SELECT log, plays, stage, name, bot
FROM entries JOIN contests USING (log) JOIN last USING (log)
WHERE if(
    getvariable('stage') IS NULL AND log IN (FROM complete_contests()),
    ended IS NULL,
    stage BETWEEN first_stage AND coalesce(last_stage, stage)
        AND (
            getvariable('stage') IS NOT NULL
            OR (log, name) IN (SELECT (log, name) FROM entries WHERE ended IS NULL)
        )
);

-- The seats of matches in the stages of contests. In a contest of pairings, a match counts if both
-- versions are in the standings, whatever its stage; otherwise only the last stage counts. A copy of
-- the contest's log beside it has no matches.
CREATE OR REPLACE TEMP MACRO contest_seats() AS TABLE
WITH own AS (
    FROM raw.logs WHERE kind = 'contest'
    QUALIFY row_number() OVER (
        PARTITION BY folder ORDER BY parse_filename(path) <> 'contest.jsonl', _log
    ) = 1
)
SELECT
    players.log, seat,
    coalesce(stages.stage <= standing.stage, false)
        AND if(
            contests.plays = 'pairings',
            bool_and(standing.name IS NOT NULL) OVER (PARTITION BY players.log),
            stages.stage = standing.stage
        ) AS counts
FROM stages
JOIN contests USING (log)
JOIN own ON own._log = stages.log
JOIN raw.logs AS logs
    ON logs.kind = 'match' AND logs.folder = stage_folder(own.folder, stages.stage)
JOIN players ON players.log = logs._log
LEFT JOIN standing() AS standing
    ON standing.log = stages.log AND standing.name = players.name AND standing.bot = players.bot;

-- The seats of every match; a match that was read twice (the same seal) appears once, in its contest
-- if it has one. A match counts if it is finished, is not void, belongs to no void attempt, and counts
-- in its contest. An imported match that breaks off is not finished. `ranked` leaves out only what
-- does not count in its contest.
CREATE OR REPLACE TEMP MACRO seats() AS TABLE
WITH contest AS (FROM contest_seats()),
failures AS (SELECT log, seat, count(*) AS faults FROM faults GROUP BY log, seat)
SELECT
    players.log, players.game, tournament, players.match, seal, source, settings, reason,
    seat, name, bot, score, won,
    coalesce(contest.counts, true) AS ranked,
    coalesce(NOT players.void AND reason <> 'void' AND score IS NOT NULL, false)
        AND NOT (reason = 'unfinished' AND source IS NOT DISTINCT FROM 'imported')
        AND ranked AS counts,
    failures.faults IS NOT NULL AS failed,
    coalesce(failures.faults, 0) AS faults
FROM players
JOIN matches USING (log)
LEFT JOIN contest USING (log, seat)
LEFT JOIN failures USING (log, seat)
WHERE log IN (
    SELECT coalesce(min(contest.log), min(matches.log))
    FROM matches LEFT JOIN contest USING (log) GROUP BY game, seal
);

-- The seats that count, each with the number of its match among those of the same bots in the same
-- seats, in the order of tournaments and match ids, and a hash of this line-up.
CREATE OR REPLACE TEMP MACRO rated() AS TABLE
WITH matches_rated AS (
    SELECT log, sha256(to_json(list((name, bot) ORDER BY seat))::VARCHAR) AS lineup
    FROM seats() WHERE counts GROUP BY log
)
SELECT
    *,
    dense_rank() OVER (
        PARTITION BY game, lineup
        ORDER BY tournament, attempt_of(match), TRY_CAST(split_part(match, '-', 2) AS BIGINT),
            match, seal, log
    ) AS round
FROM seats() JOIN matches_rated USING (log)
WHERE counts;

-- The unfinished tournaments, whose bots may have played unequal numbers of matches. The matches of a
-- contest count once their stage is finished. A log without a whole first line, and so without a
-- game, begins no tournament.
CREATE OR REPLACE TEMP MACRO unfinished() AS TABLE
SELECT _game AS game, path FROM raw.unread
WHERE verdict = 'incomplete' AND parse_filename(path) = 'tournament.jsonl'
    AND _game IS NOT NULL
    AND NOT EXISTS (
        FROM logs
        WHERE kind = 'contest'
            AND starts_with(unread.path, regexp_replace(logs.path, '[^/]*$', 'stages/'))
    );

-- A leaderboard ranks by a sum, or by the mean per match if a tournament of its game (the variable
-- `game`) is unfinished.
CREATE OR REPLACE TEMP MACRO when_over(total) AS
    if(getvariable('game') IN (SELECT game FROM unfinished()), NULL, total);

CREATE OR REPLACE TEMP MACRO until_over(per_match) AS
    if(getvariable('game') IN (SELECT game FROM unfinished()), per_match, NULL);

-- The logs of tournaments of which no match was read; a log that was read twice (the same seal) appears
-- once. Different tournaments may have the same id.
CREATE OR REPLACE TEMP MACRO without_matches() AS TABLE
WITH played AS (
    SELECT own._log AS log
    FROM raw.logs AS own JOIN raw.logs AS match USING (_game, tournament, folder)
    WHERE own.kind = 'tournament' AND match.kind = 'match'
    UNION
    SELECT tournament_log FROM logs JOIN raw.logs AS own ON own._log = log WHERE folder IS NULL
    UNION
    SELECT _log FROM raw.staged WHERE type = 'match_played' AND seal IN (SELECT seal FROM matches)
)
SELECT min(_log) AS log
FROM raw.staged LEFT JOIN played ON played.log = _log
WHERE type = 'tournament_sealed'
GROUP BY _game, sha256
HAVING count(played.log) = 0;

-- The sum of one game's final tables, for tournaments of which no match was read (usually imported
-- ones). Smallest Unique ranks by the rate (SU-6), other games by the score.
-- low and high: the 95 % Wilson interval of score per game, if the score counts games won (Coup,
-- Smallest Unique). Intervals of other scores need the matches.
CREATE OR REPLACE TEMP MACRO final_table(wanted) AS TABLE
WITH bots AS (
    SELECT
        name, bot,
        count(*) AS tournaments,
        sum(standings.games)::HUGEINT AS games,
        sum(standings.score)::HUGEINT AS score
    FROM standings
    JOIN entrants USING (log, entrant, name)
    WHERE standings.game = wanted AND log IN (FROM without_matches())
    GROUP BY name, bot
),
scored AS (
    SELECT
        *,
        score / nullif(games, 0) AS per_game,
        wanted IN ('coup', 'smallest_unique') AS wins,
        -- Exact below 2^26 games: such rates differ by more than a DOUBLE rounds.
        if(wanted = 'smallest_unique', per_game, NULL) AS rate,
        if(wanted = 'smallest_unique', NULL, score) AS total
    FROM bots
)
SELECT
    rank() OVER (ORDER BY rate DESC NULLS LAST, total DESC) AS rank,
    name, tournaments, games, score,
    round(per_game, 4) AS score_per_game,
    if(wins, round(wilson_low(per_game, games), 4), NULL) AS low,
    if(wins, round(wilson_high(per_game, games), 4), NULL) AS high,
    bot
FROM scored
ORDER BY rank, name, bot;
