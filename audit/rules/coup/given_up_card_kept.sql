-- clause: CP-14
-- severity: error
-- A card was given up but did not leave the game.
SELECT
    log, match, seq,
    coup_card(appended[1]) || ' lost' AS expected, shown(effects) AS found
FROM coup_calls
WHERE type = 'answered' AND coup_gives_up(appended) AND coup_times(effects, 'card_lost') = 0;
