-- clause: SU-3
-- severity: error
-- The point of a round did not go to the smallest number that exactly one bot selected.
WITH rounds AS MATERIALIZED (  -- so that each winner is computed once
    SELECT *, smallest_unique_winner(choices) AS due FROM smallest_unique_round
)
SELECT
    log, match, seq,
    coalesce('seat ' || due, 'nobody') || ' for ' || shown(choices) AS expected,
    coalesce('seat ' || winner, 'nobody') AS found
FROM rounds
WHERE winner IS DISTINCT FROM due;
