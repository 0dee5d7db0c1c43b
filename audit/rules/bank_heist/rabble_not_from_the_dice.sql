-- clause: BH-3
-- severity: error
-- The members of the rabble that take part are not the ones that the dice draw.
WITH members AS (
    SELECT
        log, match, game, seed, rabble, rabble_draw, closed.seq AS seq,
        unnest(range(rabble)) AS member, unnest(string_split(symbols, '')) <> '.' AS takes_part
    FROM bank_heist_games
    WHERE rabble > 0 AND length(closed.rabble_bets) = rabble
),
draws AS (
    SELECT
        log, match, seq, member, takes_part,
        die_bulk(seed, 'game/' || game || '/rabble', member) < 2251799813685248 AS drawn
    FROM members WHERE rabble_draw = 'subset'
    UNION ALL
    SELECT
        log, match, seq, member, takes_part,
        row_number() OVER (
            PARTITION BY log, game ORDER BY shuffle_key(seed, 'game/' || game || '/rabble', member)
        ) <= die_below(seed, 'game/' || game || '/rabble/size', rabble + 1)
    FROM members WHERE rabble_draw = 'size'
)
SELECT
    log, match, seq,
    'member ' || member || if(drawn, ' takes part', ' does not') AS expected,
    'member ' || member || if(takes_part, ' takes part', ' does not') AS found
FROM draws
WHERE drawn <> takes_part
UNION ALL
SELECT
    log, match, closed.seq,
    rabble || ' members' AS expected, length(closed.rabble_bets) || ' members' AS found
FROM bank_heist_games
WHERE length(closed.rabble_bets) <> rabble;
