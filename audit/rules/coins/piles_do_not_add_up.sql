-- clause: CN-4
-- severity: error
-- The piles after a turn are not the piles before it, changed by the turn's actions.
SELECT
    log, match, seq,
    'after ' || actions || ' of seat ' || seat || ': unflipped ' || shown(due.unflipped)
        || ', flipped ' || shown(due.flipped) AS expected,
    'unflipped ' || shown(unflipped) || ', flipped ' || shown(flipped) AS found
FROM coins_turns
WHERE (unflipped, flipped) IS DISTINCT FROM (due.unflipped, due.flipped);
