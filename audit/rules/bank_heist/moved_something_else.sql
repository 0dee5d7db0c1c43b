-- clause: BH-13
-- severity: error
-- A movement's reason does not move this kind of amount, or its bank is not the game's.
SELECT
    log, moves.match, seq,
    if(
        why IN ('guard_left', 'interest'),
        'what ' || why || ' moves, at any bank', 'what ' || why || ' moves, at bank ' || games.bank
    ) AS expected,
    what || coalesce(' at bank ' || moves.bank, '') AS found
FROM bank_heist_moves AS moves
LEFT JOIN (SELECT log, game, bank FROM bank_heist_games) AS games USING (log, game)
WHERE NOT list_contains(CASE why
        WHEN 'all_in' THEN ['credits']
        WHEN 'bet' THEN ['credits']
        WHEN 'heist' THEN ['winnings']
        WHEN 'change_jobs' THEN ['employed']
        WHEN 'intel' THEN ['odds', 'winnings']
        WHEN 'guard' THEN ['probability', 'guards']
        WHEN 'deposit' THEN ['account', 'winnings']
        WHEN 'withdraw' THEN ['winnings', 'account']
        WHEN 'exposed' THEN ['credits', 'employed', 'salary', 'probability']
        WHEN 'finger' THEN ['credits']
        WHEN 'false_finger' THEN ['winnings', 'salary', 'odds']
        WHEN 'share' THEN ['credits']
        WHEN 'cross_failed' THEN ['employed', 'salary']
        WHEN 'hired' THEN ['employed', 'salary']
        WHEN 'paycheck' THEN ['credits']
        WHEN 'bribe' THEN ['credits']
        WHEN 'guard_left' THEN ['guards', 'probability']
        WHEN 'interest' THEN ['account']
    END, what)
    OR CASE
        WHEN what NOT IN ('account', 'guards', 'probability', 'odds') THEN moves.bank IS NOT NULL
        WHEN why IN ('guard_left', 'interest') THEN moves.bank IS NULL
        ELSE moves.bank IS DISTINCT FROM games.bank
    END;
