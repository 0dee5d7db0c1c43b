"""Macros in place of DuckDB's extension for JSON, which a browser would have to download.

They read JSON as DuckDB and orjson write it, without white space between values, with regular
expressions (RE2).
"""

from __future__ import annotations

STRING = r'"(?:[^"\\]|\\.)*"'
DEPTH = 4
"""Lists and objects that can be inside each other, with the outermost."""


def _nested() -> str:
    """Return the expression of a list or an object."""
    inner = rf'{STRING}|[^"{{}}\[\]]'
    nested = rf"[\[{{](?:{inner})*[\]}}]"
    for _ in range(DEPTH - 1):
        nested = rf"[\[{{](?:{inner}|{nested})*[\]}}]"
    return nested


NESTED = _nested()
VALUE = rf'(?:{STRING}|[^"{{}}\[\],]+|{NESTED})'

MACROS = (
    rf"""
CREATE MACRO json_pattern(key) AS CASE
    -- After the value with index -2 come two of these: a comma with a value, or the last bracket.
    WHEN typeof(key) <> 'VARCHAR' AND starts_with(key::VARCHAR, '-')
    THEN '^\[(?:{VALUE},)*({VALUE})(?:[,\]](?:{VALUE})?){{' || ltrim(key::VARCHAR, '-') || '}}$'
    WHEN typeof(key) <> 'VARCHAR' THEN '^\[(?:{VALUE},){{' || key::VARCHAR || '}}({VALUE})[,\]]'
    WHEN regexp_matches(key::VARCHAR, '^[$/]')
    THEN ('->> takes a key or an index, not a path: ' || key::VARCHAR)::BOOLEAN::VARCHAR
    ELSE '^[{{](?:{STRING}:{VALUE},)*"' || regexp_escape(key::VARCHAR) || '":({VALUE})[,}}]'
END
""",
    r"""
CREATE MACRO json_text(value) AS array_to_string(
    list_transform(
        regexp_extract_all(value[2:-2], '[^\\]+|\\u[0-9a-fA-F]{4}|\\.', 0, 's'),
        lambda piece: CASE
            WHEN piece[1] <> '\' THEN piece
            WHEN piece[2] = 'u' THEN chr(('0x' || piece[3:])::INTEGER)
            WHEN piece[2] = 'n' THEN chr(10)
            WHEN piece[2] = 't' THEN chr(9)
            WHEN piece[2] = 'r' THEN chr(13)
            WHEN piece[2] = 'b' THEN chr(8)
            WHEN piece[2] = 'f' THEN chr(12)
            ELSE piece[2:]
        END
    ),
    ''
)
""",
    # Each lambda gives an expression a name, so that it is not copied into every use.
    rf"""
CREATE MACRO "->>"(value, key) AS list_transform(
    list_transform(
        [value::VARCHAR],
        lambda json: {{json: json, part: regexp_extract(json, json_pattern(key), 1, 's')}}
    ),
    lambda pair: CASE
        WHEN pair.part = 'null' THEN NULL
        WHEN pair.part[1] = '"' THEN json_text(pair.part)
        WHEN pair.part <> '' THEN pair.part
        WHEN regexp_matches(pair.json, '^[\[{{]')
            AND NOT regexp_full_match(pair.json, '{NESTED}', 's')
        THEN ('->> reads values that are nested up to {DEPTH} deep, not ' || pair.json)
            ::BOOLEAN::VARCHAR
    END
)[1]
""",
    r"""
CREATE MACRO shown(value) AS coalesce(
    CASE
        WHEN typeof(value) = 'VARCHAR' THEN '"' || replace(
            replace(replace(value::VARCHAR, '\', '\\'), '"', '\"'), chr(10), '\n'
        ) || '"'
        ELSE replace(value::VARCHAR, ', ', ',')
    END,
    'nothing'
)
""",
)
"""Statements that make them: ``value ->> key`` and ``value ->> index``, as DuckDB's operator, and
the audit's macro ``shown`` for numbers, texts and lists of numbers.

A cast that fails is the error; the function ``error`` could not be part of the views.
"""
