-- clause: CP-4
-- severity: error
-- A finished line of the history is not a turn that the rules allow.
SELECT
    log, match, max(seq) AS seq,
    'a turn that begins with an action and ends in one newline' AS expected,
    shown(string_agg(appended, '' ORDER BY seq)) AS found
FROM coup_calls
WHERE type = 'answered'
GROUP BY log, match, turn
HAVING NOT regexp_full_match(
    string_agg(appended, '' ORDER BY seq),
    -- Done at once; passed; accepted blocks; challenges lost by the claimer; challenges lost by
    -- the challenger; a line at the end that elimination, a fault or the last call cut short.
    '(I|C[_''<=0]|A[_''<=0]'
    '|[FETS]p|Fd|S[ac]|As'
    '|[ETAS]q[_''<=0]|(Fd|S[ac]|As)q[_''<=0]'
    '|(Eq~|Tq\$|Aq\^|Sq\*|Fdq\$|Saq~|Scq\*|Asq!)[_''<=0])\n'
    '|[^\n]*'
);
