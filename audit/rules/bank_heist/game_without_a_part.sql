-- clause: BH-13
-- severity: error
-- A game lacks or repeats a part: closed bets, a roll with heisters, a verdict on crossers, a
-- share-out with a crew, an end; or it has a table or a result that only transcripts have.
WITH parts AS (
    SELECT log, game, unnest([
        {part: 'bets_closed', due: 1, around: started.seq},
        {part: 'heist_rolled', due: (heisters > 0)::INT, around: closed.seq},
        {part: 'cross_judged', due: (crossers > 0)::INT, around: rolled.seq},
        {part: 'shared_out', due: (crew > 0)::INT, around: rolled.seq},
        {part: 'game_finished', due: 1, around: started.seq}
    ], recursive := true)
    FROM bank_heist_games
),
recorded AS (
    SELECT log, match, game, type AS part, count(*) AS times, max(seq) AS seq
    FROM bank_heist_course
    WHERE type IN (
        'bets_closed', 'heist_rolled', 'cross_judged', 'shared_out', 'game_finished',
        'credits_seen', 'heist_seen'
    )
    GROUP BY ALL
)
SELECT
    log, matches.match, coalesce(recorded.seq, parts.around) AS seq,
    coalesce(due, 0) || ' times ' || part AS expected,
    coalesce(times, 0) || ' times ' || part AS found
FROM parts
FULL JOIN recorded USING (log, game, part)
JOIN (SELECT log, match FROM matches) AS matches USING (log)
WHERE found <> expected;
