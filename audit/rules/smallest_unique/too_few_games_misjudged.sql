-- clause: SU-7
-- severity: error
-- kind: tournament
-- An attempt was voided for too few games although every bot played enough, or was not voided
-- although a bot played too few.
SELECT
    log, NULL AS match, seq,
    if(due = 'too_few_games', 'voided: ', 'not voided: ') || at_least || ' games each, at least'
        AS expected,
    coalesce('voided, ' || reason, 'not voided') || ', fewest games: '
        || coalesce(fewest::VARCHAR, 'none') AS found
FROM smallest_unique_attempts
WHERE (coalesce(reason, '') = 'too_few_games') <> (coalesce(due, '') = 'too_few_games');
