-- Every call of a bot, with its game and the meaning of its answer, accepted or not. An answer that
-- is not text has no meaning.
--   type: answered or fault.
--   said: The first 100 characters of what it printed.
--   integer: The bet that this is (BH-6); NULL if it is no integer.
--   action: The action that the output stands for (BH-8).
--   is_cut: Whether the log has only the beginning of the answer.

-- BH-6, BH-8: without the white space around it.
CREATE MACRO bank_heist_bare(output) AS trim(output, E' \t\n\r' || chr(11) || chr(12));

-- BH-6: the integer that an output stands for, NULL if none. All integers above the bound of credits
-- (BH-31) are equivalent.
CREATE MACRO bank_heist_integer(output) AS CASE
    WHEN regexp_full_match(bank_heist_bare(output), '[0-9]+') THEN least(
        coalesce(
            TRY_CAST('0' || ltrim(bank_heist_bare(output), '0') AS HUGEINT),
            1000000000000001
        ),
        1000000000000001
    )
END;

-- BH-8: the action that an output stands for.
CREATE MACRO bank_heist_action(output) AS CASE
    WHEN bank_heist_bare(output) IN (
        'back out', 'all in', 'change jobs', 'acquire intel', 'buy guard', 'deposit', 'withdraw',
        'double cross', 'finger'
    ) THEN bank_heist_bare(output)
    ELSE 'carry on'
END;

CREATE VIEW bank_heist_decisions AS
WITH calls AS (
    SELECT
        log, seq, 'answered' AS type, seat, ask, output,
        coalesce(output_base64, appended, appended_base64) IS NULL AS plain, cut
    FROM answered WHERE game = 'bank_heist'
    UNION ALL BY NAME
    SELECT log, seq, 'fault' AS type, seat, ask, kind, clause, penalty, output, cut
    FROM faults WHERE game = 'bank_heist'
)
SELECT
    log, course.match, course.game, seq, calls.type, seat, ask, kind, clause, penalty,
    left(output, 100) AS said,
    bank_heist_integer(output) AS integer,
    bank_heist_action(output) AS action,
    coalesce(len(cut), 0) > 0 AS is_cut
FROM calls
JOIN bank_heist_course AS course USING (log, seq);
