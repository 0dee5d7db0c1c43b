-- clause: SU-11
-- severity: error
-- kind: tournament
-- An entrant has more than one seat in a game.
SELECT log, match, seq, 'different entrants' AS expected, shown(seats) AS found
FROM smallest_unique_account
WHERE type = 'match_played' AND len(list_distinct(seats)) <> len(seats);
