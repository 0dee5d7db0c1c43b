-- Every event of a match from the deal to the result ("finished"), with the state before it. The
-- state is the one that earlier events recorded; the rules check whether the event follows from it.
-- Lists are by seat; `call` counts the calls so far, including the event's.
--   cause: The cause of a movement of coins or of a lost card.
--   change: The change of each seat's coins.
--   card: The card that was lost or shown.
--   hand: The hand of the event's seat afterwards.
--   drawn: The cards that were drawn.
--   returned: The cards that went back.
--   type: The event's type; finished is the result.
--   hands: By seat, as they were dealt.
--   coins: By seat, afterwards.
--   deck: The deck afterwards, the next card first.
--   offered: The cards on offer in an exchange; empty otherwise.
--   call: Number of calls so far, this event's included.
--   hands_before: The hands before the event, by seat.
--   coins_before: The coins before the event, by seat.
--   deck_before: The deck before the event, the next card first.
--   offered_before: The cards on offer before the event.
--   lost_before: The cards that had left the game before the event.

-- The card that a symbol of giving up stands for.
CREATE MACRO coup_card(symbol) AS translate(symbol, '_''<=0', '~^*!$');

-- The card that an action or a block claims to hold.
CREATE MACRO coup_claim(symbol) AS translate(symbol, 'ETASacds', '~$^*~*$!');

-- Whether a reply, with or without its newline, gives a card up, or shows one.
CREATE MACRO coup_gives_up(reply) AS regexp_full_match(reply, '[_''<=0]\n?');
CREATE MACRO coup_shows(reply) AS regexp_full_match(reply, '[~^*!$]');

-- CP-1, CP-13, CP-15: a shuffle of cards, as the dice have it; equal cards are numbered by name.
CREATE MACRO coup_name(card) AS CASE card
    WHEN '~' THEN 'Ambassador'
    WHEN '^' THEN 'Assassin'
    WHEN '*' THEN 'Captain'
    WHEN '!' THEN 'Contessa'
    WHEN '$' THEN 'Duke'
END;
CREATE MACRO coup_shuffled(seed, label, cards) AS array_to_string([
    right(keyed, 1) FOR keyed IN list_sort([
        shuffle_key(seed, label, coup_name(cards[n]) || occurrences(left(cards, n), cards[n]))
        || cards[n]
        FOR n IN range(1, length(cards) + 1)
    ])
], '');

-- Of a log that names more cards or seats than the game has, one more than that: each event is
-- shown with all cards and coins before it.
CREATE MACRO coup_few(cards) AS left(cards, 16);

CREATE VIEW coup_before AS
WITH course AS (
    SELECT
        log, match, seq, 'dealt' AS type, [coup_few(hand) FOR hand IN hands[:3]] AS hands,
        coins[:3] AS coins, coup_few(deck) AS deck, '' AS offered
    FROM coup_dealt
    UNION ALL BY NAME
    SELECT
        log, match, seq, 'coins_moved' AS type, cause,
        -- Wider than a log's integers, so that the sums of a forged log do not overflow.
        change[:3]::HUGEINT[] AS change, coins[:3]::HUGEINT[] AS coins
    FROM coup_coins_moved
    UNION ALL BY NAME
    SELECT log, match, seq, 'card_lost' AS type, seat, cause, card, coup_few(hand) AS hand
    FROM coup_card_lost
    UNION ALL BY NAME
    SELECT
        log, match, seq, 'card_replaced' AS type, seat, card, drawn, coup_few(hand) AS hand,
        coup_few(deck) AS deck
    FROM coup_card_replaced
    UNION ALL BY NAME
    SELECT
        log, match, seq, 'cards_offered' AS type, seat, drawn, coup_few(deck) AS deck,
        coup_few(drawn) AS offered
    FROM coup_cards_offered
    UNION ALL BY NAME
    SELECT
        log, match, seq, 'cards_exchanged' AS type, seat, coup_few(returned) AS returned,
        coup_few(hand) AS hand, coup_few(deck) AS deck, '' AS offered
    FROM coup_cards_exchanged
    UNION ALL BY NAME
    SELECT log, match, seq, 'answered' AS type, seat, ask, appended, output, cut
    FROM answers WHERE game = 'coup'
    UNION ALL BY NAME
    SELECT log, match, seq, 'fault' AS type, seat, ask, appended, output, cut
    FROM faults WHERE game = 'coup'
    UNION ALL BY NAME
    SELECT log, match, finished AS seq, 'finished' AS type
    FROM matches WHERE game = 'coup' AND finished IS NOT NULL
)
SELECT
    *,
    count(CASE WHEN type IN ('answered', 'fault') THEN 1 END) OVER so_far AS call,
    [
        last_value(CASE seat WHEN 0 THEN hand ELSE hands[1] END IGNORE NULLS) OVER above,
        last_value(CASE seat WHEN 1 THEN hand ELSE hands[2] END IGNORE NULLS) OVER above
    ] AS hands_before,
    last_value(coins IGNORE NULLS) OVER above AS coins_before,
    last_value(deck IGNORE NULLS) OVER above AS deck_before,
    last_value(offered IGNORE NULLS) OVER above AS offered_before,
    coup_few(coalesce(string_agg(card, '') FILTER (type = 'card_lost') OVER above, ''))
        AS lost_before
FROM course
WINDOW
    so_far AS (PARTITION BY log ORDER BY seq ROWS UNBOUNDED PRECEDING),
    above AS (PARTITION BY log ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING);
