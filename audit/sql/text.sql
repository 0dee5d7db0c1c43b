-- Macros for texts in which each character is an item.
CREATE MACRO characters(text) AS
    [c FOR c IN string_split(text, '') IF c <> ''];

CREATE MACRO occurrences(text, c) AS
    length(text) - length(replace(text, c, ''));

-- The text without the first occurrence of the character c.
CREATE MACRO without(text, c) AS
    CASE
        WHEN c = '' OR strpos(text, c) = 0 THEN text
        ELSE left(text, strpos(text, c) - 1) || substr(text, strpos(text, c) + 1)
    END;

-- The characters of the text in order, to compare two texts.
CREATE MACRO sorted(text) AS
    list_sort(characters(text));

-- A value as a finding shows it: in quotes, with "\n" for a newline.
CREATE MACRO shown(something) AS
    coalesce(to_json(something)::VARCHAR, 'nothing');

-- The attempt in a match's id, {attempt}-{number}; NULL if it does not fit an integer.
CREATE MACRO attempt_of(match) AS
    TRY_CAST(split_part(match, '-', 1) AS BIGINT);

-- The folder of a stage, from the folder of its contest and its number.
CREATE MACRO stage_folder(contest, stage) AS
    printf('%s/stages/%04d', contest, stage);
