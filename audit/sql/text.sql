-- Texts that hold one thing per character.
CREATE MACRO characters(text) AS
    [c FOR c IN string_split(text, '') IF c <> ''];

CREATE MACRO occurrences(text, c) AS
    length(text) - length(replace(text, c, ''));

-- Without the character c, at its first place.
CREATE MACRO without(text, c) AS
    CASE
        WHEN c = '' OR strpos(text, c) = 0 THEN text
        ELSE left(text, strpos(text, c) - 1) || substr(text, strpos(text, c) + 1)
    END;

CREATE MACRO sorted(text) AS
    array_to_string(list_sort(characters(text)), '');

-- A value as a person reads it in a finding: quotes around it, "\n" for a newline.
CREATE MACRO shown(something) AS
    coalesce(to_json(something)::VARCHAR, 'nothing');

-- The attempt in a match's id, {attempt}-{number}; NULL when it is beyond all counting.
CREATE MACRO attempt_of(match) AS
    TRY_CAST(split_part(match, '-', 1) AS BIGINT);
