-- clause: BH-25
-- severity: error
-- An unemployed player's hiring, at a salary 5 % higher, is contrary to the dice, or an employed
-- player was hired.
SELECT
    log, match, coalesce(moves['hired employed'].seq, moves['hired salary'].seq, around) AS seq,
    'seat ' || seat || ': employed, salary ' || if(
        employed_shared = 0 AND die_chance(seed, 'game/' || game || '/hired/' || seat, 1, 20),
        shown([1, least(1000000000000000, salary_shared + salary_shared // 20)]),
        shown([employed_shared, salary_shared])
    ) AS expected,
    'seat ' || seat || ': employed, salary ' || shown([employed_end, salary_end]) AS found
FROM bank_heist_settled
JOIN (SELECT log, seed FROM matches) USING (log)
WHERE found <> expected;
