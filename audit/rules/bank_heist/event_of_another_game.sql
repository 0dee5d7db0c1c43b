-- clause: BH-1
-- severity: error
-- An event has the number of another game than the one in which it is recorded.
WITH numbered AS (
    SELECT log, match, seq, number FROM bank_heist_game_started
    UNION ALL
    SELECT log, match, seq, number FROM bank_heist_bet
    UNION ALL
    SELECT log, match, seq, number FROM bank_heist_bets_closed
    UNION ALL
    SELECT log, match, seq, number FROM bank_heist_acted
    UNION ALL
    SELECT log, match, seq, number FROM bank_heist_heist_rolled
    UNION ALL
    SELECT log, match, seq, number FROM bank_heist_moved
    UNION ALL
    SELECT log, match, seq, number FROM bank_heist_cross_judged
    UNION ALL
    SELECT log, match, seq, number FROM bank_heist_fingered
    UNION ALL
    SELECT log, match, seq, number FROM bank_heist_shared_out
    UNION ALL
    SELECT log, match, seq, number FROM bank_heist_game_finished
)
SELECT log, numbered.match, seq, game AS expected, number AS found
FROM numbered
JOIN bank_heist_course USING (log, seq)
WHERE found <> expected;
