-- Every event of a match between its start and its seal, with the kinds of events around it.
--   type: The event's type; finished is the result.
--   actions: The actions carried out; NULL if it is no turn.
--   above: The type of the event above it.
--   seat_above: The seat of the event above it.
--   below: The type of the event below it.
--   seat_below: The seat of the event below it.
--   actions_below: The actions of the event below it.

-- CN-7: an answer without surrounding white space, and whether it is legal.
CREATE MACRO coins_answer(output) AS trim(output, E' \t\n\r' || chr(11) || chr(12));
CREATE MACRO coins_is_legal(output) AS
    regexp_full_match(coins_answer(output), '[N123ABCXYZFURT]{3}');

CREATE VIEW coins_course AS
WITH course AS (
    SELECT log, match, seq, 'laid_out' AS type FROM coins_laid_out
    UNION ALL BY NAME
    SELECT log, match, seq, 'acted' AS type, seat, actions FROM coins_acted
    UNION ALL BY NAME
    SELECT log, match, seq, 'counted' AS type FROM coins_counted
    UNION ALL BY NAME
    SELECT log, match, seq, 'answered' AS type, seat, ask, output, cut
    FROM answers WHERE game = 'coins'
    UNION ALL BY NAME
    SELECT log, match, seq, 'fault' AS type, seat, ask, output, cut, kind
    FROM faults WHERE game = 'coins'
    UNION ALL BY NAME
    SELECT log, match, finished AS seq, 'finished' AS type
    FROM matches WHERE game = 'coins' AND finished IS NOT NULL
)
SELECT
    *,
    lag(type) OVER nearby AS above, lag(seat) OVER nearby AS seat_above,
    lead(type) OVER nearby AS below, lead(seat) OVER nearby AS seat_below,
    lead(actions) OVER nearby AS actions_below
FROM course
WINDOW nearby AS (PARTITION BY log ORDER BY seq);
