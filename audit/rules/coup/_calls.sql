-- Every call of a bot: the caller, the line of the history, the legal additions and the reply. The
-- history is built from the appended texts alone; `effects` are the events up to the next call, a
-- movement of coins by its cause.
--   type: answered or fault.
--   call: The call's number in the match, from 1.
--   offered: The cards on offer, in an exchange.
--   caller: The seat that had to be called.
--   turn: The turn's number in the match, from 1.
--   owner: The seat whose turn it is.
--   line: The last line of the history when the bot is called.
--   hand: The caller's hand.
--   other_hand: The other player's hand.
--   own: The caller's coins.
--   other: The other player's coins.
--   question: The question that the caller had to be asked.
--   legal: The legal additions to the line.
--   earned: What the answer brings the owner, if it closes a turn that earns something.
--   owed: What the owner has to pay for at this answer, if anything.
--   effects: The events that follow up to the next call, a movement of coins by its cause.

-- CP-5: the additions that a line allows for any coins and cards.
CREATE MACRO coup_replies(line) AS CASE
    WHEN line = '' THEN [E'I\n', 'F', 'E', 'T', 'A', 'C', 'S']
    WHEN line = 'F' THEN ['d', 'p']
    WHEN line IN ('E', 'T') THEN ['p', 'q']
    WHEN line = 'S' THEN ['a', 'c', 'p', 'q']
    WHEN line = 'A' THEN ['s', 'q', '_', '''', '<', '=', '0']
    WHEN line = 'C' THEN ['_', '''', '<', '=', '0']
    WHEN line IN ('Fd', 'Sa', 'Sc', 'As') THEN ['q', E'\n']
    WHEN line IN ('Eq', 'Tq', 'Aq', 'Sq')
        THEN [coup_claim(line[1]), E'_\n', E'''\n', E'<\n', E'=\n', E'0\n']
    WHEN line IN ('Fdq', 'Saq', 'Scq', 'Asq')
        THEN [coup_claim(line[2]), '_', '''', '<', '=', '0']
    WHEN regexp_full_match(line, '[ETAS]q[~^*!$]') THEN ['_', '''', '<', '=', '0']
    WHEN regexp_full_match(line, '(Fd|Sa|Sc|As)q[~^*!$]')
        THEN [E'_\n', E'''\n', E'<\n', E'=\n', E'0\n']
    WHEN regexp_full_match(line, '.*[p_''<=0]') THEN [E'\n']
    ELSE []
END;

-- CP-5, CP-6, CP-7: the legal additions for the caller's hand and coins and the other's coins.
CREATE MACRO coup_legal(line, hand, own, other) AS [
    reply FOR reply IN coup_replies(line) IF CASE
        WHEN line = '' AND own >= 10 THEN reply = 'C'
        WHEN line = '' AND reply = 'A' THEN own >= 3
        WHEN line = '' AND reply = 'C' THEN own >= 7
        WHEN line = '' AND reply = 'S' THEN other >= 1
        WHEN coup_shows(reply) THEN contains(hand, reply)
        WHEN coup_gives_up(reply) THEN contains(hand, coup_card(reply[1]))
            AND NOT (line[-1] = 'q' AND contains(hand, coup_claim(line[-2])))
        ELSE true
    END
];

-- CP-8, CP-9: the gain of the turn's owner if this reply closes the turn.
CREATE MACRO coup_earned(line, reply) AS CASE
    WHEN line || reply = E'I\n' THEN 'income'
    WHEN regexp_full_match(line || reply, 'F(p|dq[_''<=0])\n') THEN 'foreign_aid'
    WHEN regexp_full_match(line || reply, 'T(p|q\$[_''<=0])\n') THEN 'tax'
    WHEN regexp_full_match(line || reply, 'S(p|q\*[_''<=0]|[ac]q[_''<=0])\n') THEN 'steal'
END;

-- CP-10, CP-11, CP-12: the action that the turn's owner must pay for at this reply.
CREATE MACRO coup_owed(line, reply) AS CASE
    WHEN regexp_full_match(line || reply, 'C[_''<=0]') THEN 'coup'
    -- The victim gives a card up: to the assassin, as a lost challenge, or for a false block.
    WHEN regexp_full_match(line || reply, 'A(q\^|sq)?[_''<=0]') THEN 'assassination'
    -- A Contessa's block is accepted, or its challenge fails.
    WHEN regexp_full_match(line || reply, 'As(q![_''<=0])?\n') THEN 'assassination'
END;

-- CP-15: what a choice says, the white space around it ignored; and whether it is one of as many
-- cards as the hand has, out of the cards offered and the hand.
CREATE MACRO coup_choice(output) AS trim(output, E' \t\n\r' || chr(11) || chr(12));
CREATE MACRO coup_is_choice(output, offered, hand) AS
    length(coup_choice(output)) = length(hand) AND len([
        card FOR card IN characters(coup_choice(output))
        IF occurrences(coup_choice(output), card) > occurrences(offered || hand, card)
    ]) = 0;

-- How often an effect is among those of a call.
CREATE MACRO coup_times(effects, effect) AS len([e FOR e IN effects IF e = effect]);

-- A list by seat of what the owner of the turn and the other have.
CREATE MACRO coup_by_seat(owner, own, other) AS
    CASE owner WHEN 0 THEN [own, other] ELSE [other, own] END;

-- The question to a caller, as the log names it.
CREATE MACRO coup_question(line) AS CASE
    WHEN line = '' THEN 'turn'
    WHEN line IN ('F', 'E', 'T', 'S', 'A', 'C') THEN 'response'
    WHEN line IN ('Fd', 'Sa', 'Sc', 'As') THEN 'block'
    WHEN line[-1] = 'q' THEN 'proof'
    WHEN coup_shows(line[-1]) THEN 'loss'
    WHEN regexp_full_match(line, 'Ep|Eq~[_''<=0]') THEN 'exchange'
    ELSE 'close'
END;

-- CP-8 to CP-11: the coins after a reply, by what it earns and owes.
CREATE MACRO coup_coins_after(coins, owner, earned, owed) AS coup_by_seat(
    owner,
    coins[owner + 1] + CASE earned
        WHEN 'income' THEN 1
        WHEN 'foreign_aid' THEN 2
        WHEN 'tax' THEN 3
        WHEN 'steal' THEN least(2, coins[2 - owner])
        ELSE 0
    END - CASE owed WHEN 'coup' THEN 7 WHEN 'assassination' THEN 3 ELSE 0 END,
    coins[2 - owner] - if(earned = 'steal', least(2, coins[2 - owner]), 0)
);

-- The answers and faults with the lines that they continue: all, or those of imported histories. A
-- macro, because DuckDB computes a WITH that is read twice for all logs, whichever are needed.
CREATE MACRO coup_lines(only_imported) AS TABLE
WITH calls AS (
    SELECT
        log, match, seq, type, call, seat, ask, appended, output, cut,
        hands_before AS hands, coins_before AS coins, offered_before AS offered,
        -- CP-3: strictly in turn.
        (call - 1) % 2 AS caller,
        -- CP-4: a line ends where an answer ended in a newline.
        1 + count(CASE WHEN suffix(appended, E'\n') THEN 1 END) OVER (
            PARTITION BY log ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS turn
    FROM coup_before
    WHERE type IN ('answered', 'fault') AND (
        NOT only_imported
        OR log IN (SELECT log FROM matches WHERE game = 'coup' AND source = 'imported')
    )
)
SELECT
    *,
    (first_value(call) OVER (PARTITION BY log, turn ORDER BY seq) - 1) % 2 AS owner,
    -- No turn has as many calls, and no call adds as much: the line of a log with more is illegal.
    coalesce(string_agg(left(appended, 8), '') OVER (
        PARTITION BY log, turn ORDER BY seq ROWS BETWEEN 8 PRECEDING AND 1 PRECEDING
    ), '') AS line,
    hands[caller + 1] AS hand,
    hands[2 - caller] AS other_hand,
    CASE type WHEN 'answered' THEN coup_earned(line, appended) END AS earned,
    CASE type WHEN 'answered' THEN coup_owed(line, appended) END AS owed
FROM calls;

-- An imported history has no coins; they are computed from its text (`counted`).
CREATE VIEW coup_calls AS
WITH RECURSIVE imported_calls AS MATERIALIZED (
    SELECT log, call, owner, earned, owed FROM coup_lines(true)
),
imported AS (
    SELECT log, 1 AS call, [1, 1]::HUGEINT[] AS counted
    FROM matches WHERE game = 'coup' AND source = 'imported'
    UNION ALL
    SELECT log, call + 1, coup_coins_after(counted, owner, earned, owed)
    FROM imported
    JOIN imported_calls USING (log, call)
),
effects AS (
    SELECT
        log, call,
        list(CASE type WHEN 'coins_moved' THEN cause ELSE type END ORDER BY seq) AS effects
    FROM coup_before
    WHERE type NOT IN ('answered', 'fault', 'finished')
    GROUP BY log, call
)
SELECT
    * EXCLUDE (hands, coins, counted, effects, source),
    coalesce(coins, counted)[caller + 1] AS own,
    coalesce(coins, counted)[2 - caller] AS other,
    coup_question(line) AS question,
    coup_legal(line, hand, own, other) AS legal,
    -- An imported history does not say what took effect.
    CASE WHEN source IS NULL THEN coalesce(effects, []) END AS effects
FROM coup_lines(false)
LEFT JOIN effects USING (log, call)
LEFT JOIN imported USING (log, call)
JOIN (SELECT log, source FROM matches) USING (log);
