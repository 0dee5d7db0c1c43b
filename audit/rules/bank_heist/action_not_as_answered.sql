-- clause: BH-8
-- severity: error
-- An action is not the one answered, or an illegal answer or a fault did not become carrying on.
SELECT
    log, settled.match, acted.seq AS seq,
    if(decisions.type = 'fault', 'carry on', decisions.action) AS expected, acted.action AS found
FROM bank_heist_settled AS settled
JOIN (SELECT * FROM bank_heist_decisions WHERE ask = 'action') AS decisions USING (log, game, seat)
WHERE found <> expected;
