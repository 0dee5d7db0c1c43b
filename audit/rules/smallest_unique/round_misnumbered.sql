-- clause: SU-1
-- severity: error
-- The number of a round, counted from 1, is wrong, or another event is above a round.
SELECT
    log, played.match, played.seq,
    'round ' || least(played.seq, rounds) || ' of ' || rounds AS expected,
    'round ' || round || if(played.seq > rounds, ', below another event', '') AS found
FROM smallest_unique_round AS played
JOIN (SELECT log, rounds FROM smallest_unique_games) USING (log)
WHERE round <> played.seq OR round > rounds;  -- the rounds follow the start, which is seq 0
