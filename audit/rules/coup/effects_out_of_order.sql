-- clause: CP-9
-- severity: error
-- The effects of a call are not in the order paying, losing, replacing, exchanging, gaining.
SELECT
    log, match, seq,
    'paid, lost, replaced, exchanged, gained, and last the next offer' AS expected,
    shown(effects) AS found
FROM (
    SELECT *, [
        list_position([
            'coup', 'assassination', 'card_lost', 'card_replaced', 'cards_exchanged',
            'income', 'foreign_aid', 'tax', 'steal', 'cards_offered'
        ], effect) FOR effect IN effects
    ] AS places
    FROM coup_calls
)
WHERE places <> list_sort(places);
