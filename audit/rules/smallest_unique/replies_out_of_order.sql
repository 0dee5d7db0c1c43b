-- clause: SU-9
-- severity: error
-- The replies of the failed step are not in the order of the seats, one for each seat.
SELECT
    log, match, seq,
    'a seat below ' || seats || coalesce(' and above ' || seat_above, '') AS expected,
    'seat ' || seat AS found
FROM (
    SELECT *, lag(seat) OVER (PARTITION BY log ORDER BY seq) AS seat_above
    FROM smallest_unique_replies
)
JOIN (SELECT log, seats FROM smallest_unique_games) USING (log)
WHERE seat <= seat_above OR seat >= seats;
