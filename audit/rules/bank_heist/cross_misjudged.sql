-- clause: BH-19
-- severity: error
-- A double cross was judged with wrong numbers, or with the wrong outcome.
SELECT
    log, match, judged.seq AS seq,
    crossers || ' crossers, ' || staying_players || ' staying, succeeded '
        || bank_heist_cross(crossers, staying_players)::INT AS expected,
    judged.crossers || ' crossers, ' || judged.staying_players || ' staying, succeeded '
        || judged.succeeded AS found
FROM bank_heist_games
WHERE found <> expected;
