-- clause: BH-22
-- severity: error
-- The straights, their winnings, the crossers' winnings or the pot of a share-out do not agree with
-- the crew.
WITH players AS (
    SELECT
        log, game,
        sum(winnings_end) FILTER (straight) AS straights_sum,
        sum(winnings_end) FILTER (crosser) AS crossers_sum,
        sum(winnings_action // 2) FILTER (wrong_finger) AS pot
    FROM bank_heist_settled GROUP BY ALL
),
members AS (
    SELECT log, game, sum(winnings) AS straights_sum
    FROM bank_heist_members WHERE staying GROUP BY ALL
)
SELECT
    log, match, shared.seq AS seq,
    'straights ' || straights || ', P ' ||
        coalesce(players.straights_sum, 0) + coalesce(members.straights_sum, 0)
        || ', Q ' || coalesce(crossers_sum, 0) || ', L ' || coalesce(pot, 0) AS expected,
    'straights ' || shared.straights || ', P ' || shared.straights_sum
        || ', Q ' || shared.crossers_sum || ', L ' || shared.pot AS found
FROM bank_heist_games
JOIN players USING (log, game)
LEFT JOIN members USING (log, game)
WHERE found <> expected;
