-- clause: BH-6
-- severity: error
-- A bet is not the answered integer, limited to the player's credits, or 0 after a fault.
SELECT
    log, settled.match, made.seq AS seq,
    if(decisions.type = 'fault', 0, least(integer, credits)) AS expected, bet AS found
FROM bank_heist_settled AS settled
JOIN (SELECT * FROM bank_heist_decisions WHERE ask = 'bet') AS decisions USING (log, game, seat)
WHERE made IS NOT NULL AND found <> expected;
