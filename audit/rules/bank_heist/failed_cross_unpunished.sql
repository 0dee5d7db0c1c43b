-- clause: BH-24
-- severity: error
-- After a cross that failed, a crosser kept its job or its salary or was punished twice, or another
-- player was punished.
SELECT
    log, match,
    coalesce(moves['cross_failed employed'].seq, moves['cross_failed salary'].seq, around) AS seq,
    'seat ' || seat || ': employed, salary ' || if(
        verdict = 'failed' AND crosser,
        -- BH-20: halved at most once a game.
        shown([0, if(exposed, salary_fingers, salary_fingers // 2)]),
        shown([employed_exposed, salary_fingers])
    ) AS expected,
    'seat ' || seat || ': employed, salary ' || shown([employed_shared, salary_shared]) AS found
FROM bank_heist_settled
WHERE found <> expected;
