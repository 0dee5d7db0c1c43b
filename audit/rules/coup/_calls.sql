-- Every call: who is called, what stands in the line, what the caller may add, and what it added.
-- The history is put together from the appended texts alone; `effects` are the events that follow
-- up to the next call, a movement of coins by its cause.

-- CP-5: what may be added to a line, whatever coins and cards the players have.
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

-- CP-5, CP-6, CP-7: what may be added, given the caller's hand and coins and the other's coins.
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

-- What a caller is asked for, as the log names it.
CREATE MACRO coup_question(line) AS CASE
    WHEN line = '' THEN 'turn'
    WHEN line IN ('F', 'E', 'T', 'S', 'A', 'C') THEN 'response'
    WHEN line IN ('Fd', 'Sa', 'Sc', 'As') THEN 'block'
    WHEN line[-1] = 'q' THEN 'proof'
    WHEN coup_shows(line[-1]) THEN 'loss'
    WHEN regexp_full_match(line, 'Ep|Eq~[_''<=0]') THEN 'exchange'
    ELSE 'close'
END;

CREATE VIEW coup_calls AS
WITH calls AS (
    SELECT
        *,
        -- CP-3: strictly in turn.
        (call - 1) % 2 AS caller,
        -- CP-4: a line ends where an answer ended in a newline.
        1 + coalesce(count(*) FILTER (suffix(appended, E'\n')) OVER (
            PARTITION BY log ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0) AS turn
    FROM coup_before
    WHERE type IN ('answered', 'fault')
),
lines AS (
    SELECT
        *,
        coalesce(string_agg(appended, '') OVER (
            PARTITION BY log, turn ORDER BY seq
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), '') AS line,
        (first_value(call) OVER (PARTITION BY log, turn ORDER BY seq) - 1) % 2 AS owner
    FROM calls
),
effects AS (
    SELECT
        log, call,
        list(CASE type WHEN 'coins_moved' THEN cause ELSE type END ORDER BY seq) AS effects
    FROM coup_before
    WHERE type NOT IN ('answered', 'fault')
    GROUP BY log, call
)
SELECT
    log, match, seq, type, call, turn, owner, caller, seat, ask, line, appended, output, cut,
    coup_question(line) AS question,
    hands_before[caller + 1] AS hand,
    hands_before[2 - caller] AS other_hand,
    coins_before[caller + 1] AS own,
    coins_before[2 - caller] AS other,
    offered_before AS offered,
    coup_legal(line, hand, own, other) AS legal,
    coalesce(effects, []) AS effects
FROM lines
LEFT JOIN effects USING (log, call);
