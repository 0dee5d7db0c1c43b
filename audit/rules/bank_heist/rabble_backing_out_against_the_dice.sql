-- clause: BH-29
-- severity: error
-- A member of the rabble backed out, or stayed, contrary to its die and the share of members that
-- had backed out.
WITH decisions AS (
    SELECT
        log, match, rolled, member, backs_out,
        die_bulk(seed, 'game/' || game || '/action/rabble', member) AS x,
        place - 1 AS d, backed_out AS b
    FROM bank_heist_round2
    JOIN (
        SELECT log, game, match, seed, rolled FROM bank_heist_games WHERE rolled IS NOT NULL
    ) USING (log, game)
    WHERE member IS NOT NULL
)
SELECT
    log, match, rolled.seq AS seq,
    'member ' || member || if(
        if(
            d = 0,
            x * 20 < 4503599627370496,
            x * 20 * d < 4503599627370496::HUGEINT * (d + 10 * b)
        ),
        ' backs out', ' carries on'
    ) AS expected,
    'member ' || member || if(backs_out, ' backs out', ' carries on') AS found
FROM decisions
WHERE found <> expected;
