-- Every event that a call brought about, with that call and the state before the event.
--   hand: The hand of the event's seat afterwards.
--   owner: The seat whose turn it is.
--   caller: The seat whose call brought it about.
--   line: The last line of the history at that call.
--   reply: The text that the caller added to it, its first 8 characters.
--   choice: What the caller wrote on its output, its first 16 characters: its cards, in an exchange.
--   hand_before: The hand of the event's seat before it.
--   nth: Its position among the events of its type at this call, from 1.
CREATE VIEW coup_effects AS
SELECT
    event.*, calls.owner, calls.caller, calls.line, calls.reply, calls.choice,
    event.hands_before[event.seat + 1] AS hand_before,
    row_number() OVER (PARTITION BY event.log, event.call, event.type ORDER BY event.seq) AS nth
FROM (SELECT * EXCLUDE (appended, output, ask) FROM coup_before) AS event
JOIN (
    SELECT
        log, call, owner, caller, line, left(appended, 8) AS reply,
        coup_few(coup_choice(output)) AS choice
    FROM coup_calls
) AS calls USING (log, call)
WHERE event.type NOT IN ('answered', 'fault', 'finished');
