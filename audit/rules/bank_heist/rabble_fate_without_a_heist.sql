-- clause: BH-11
-- severity: error
-- A member of the rabble without a bet has a recorded fate, or a member with a bet has none.
WITH members AS (
    SELECT
        log, match, rolled.seq AS seq,
        unnest(range(least(rabble, length(symbols)))) AS member,
        unnest(string_split(symbols, '')) AS symbol,
        unnest(string_split(rolled.rabble, '')) AS fate
    FROM bank_heist_games
    WHERE rolled IS NOT NULL
)
SELECT
    log, match, seq,
    'member ' || member || if(symbol IN ('1', '2', '3', '4'), ': o, s or f', ': no fate')
        AS expected,
    'member ' || member || ': ' || fate AS found
FROM members
WHERE (symbol IN ('1', '2', '3', '4')) <> (fate IN ('o', 's', 'f'))
UNION ALL
SELECT
    log, match, rolled.seq,
    rabble || ' members' AS expected, length(rolled.rabble) || ' members' AS found
FROM bank_heist_games
WHERE length(rolled.rabble) <> rabble;
