-- Macros that all leaderboards use.

-- The seats of every match; a match that was read twice (the same seal) appears once. A match counts
-- if it is finished, is not void, and belongs to no void attempt.
CREATE OR REPLACE TEMP MACRO seats() AS TABLE
SELECT
    players.log, players.game, tournament, players.match, seal, source, settings, reason,
    seat, name, bot, score, won,
    coalesce(NOT players.void AND reason <> 'void', false) AS counts,
    seat IN (SELECT seat FROM faults WHERE faults.log = players.log) AS failed,
    (SELECT count(*) FROM faults WHERE faults.log = players.log AND faults.seat = players.seat)
        AS faults
FROM players
JOIN matches USING (log)
WHERE log IN (SELECT min(log) FROM matches GROUP BY game, seal);

-- The unfinished tournaments, whose bots may have played unequal numbers of matches.
CREATE OR REPLACE TEMP MACRO unfinished() AS TABLE
SELECT path FROM unread WHERE verdict = 'incomplete' AND parse_filename(path) = 'tournament.jsonl';

-- A leaderboard ranks by a sum, or by the mean per match if a tournament is unfinished.
CREATE OR REPLACE TEMP MACRO when_over(total) AS
    if(EXISTS (FROM unfinished()), NULL, total);

CREATE OR REPLACE TEMP MACRO until_over(per_match) AS
    if(EXISTS (FROM unfinished()), per_match, NULL);

-- The sum of one game's final tables, for tournaments of which no match was read (usually imported
-- ones). Smallest Unique ranks by the rate (SU-6), other games by the score.
-- low and high: the 95 % Wilson interval of score per game, if the score counts games won (Coup,
-- Smallest Unique). Intervals of other scores need the matches.
CREATE OR REPLACE TEMP MACRO final_table(wanted) AS TABLE
WITH bots AS (
    SELECT
        name, bot,
        count(*) AS tournaments,
        sum(standings.games)::BIGINT AS games,
        sum(standings.score)::HUGEINT AS score
    FROM standings
    JOIN entrants USING (log, entrant, name)
    WHERE standings.game = wanted
        AND log IN (SELECT min(log) FROM tournaments GROUP BY game, tournament)
        AND (standings.game, standings.tournament) NOT IN (SELECT (game, tournament) FROM matches)
    GROUP BY name, bot
),
scored AS (
    SELECT
        *,
        score / nullif(games, 0) AS per_game,
        wanted IN ('coup', 'smallest_unique') AND score BETWEEN 0 AND games AS share,
        -- Exact: fractions with denominators below 2^32 differ by more than 2^-64.
        if(
            wanted = 'smallest_unique',
            score * 18446744073709551616 // nullif(games, 0),
            score
        ) AS merit
    FROM bots
)
SELECT
    rank() OVER (ORDER BY merit DESC NULLS LAST) AS rank,
    name, tournaments, games, score,
    round(per_game, 4) AS score_per_game,
    if(share, round(wilson_low(per_game, games), 4), NULL) AS low,
    if(share, round(wilson_high(per_game, games), 4), NULL) AS high,
    bot
FROM scored
ORDER BY rank, name, bot;
