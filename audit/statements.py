"""Check that a query only reads, apart from temporary tables, views and macros."""

from __future__ import annotations

import re
from itertools import pairwise

import duckdb

from audit.errors import QueryError

READING = ("SELECT", "MULTI")
"""DuckDB's types of statements that read; PIVOT is MULTI."""
CHANGING = ("insert", "update", "delete", "merge", "truncate", "copy")
"""Words that begin a statement which changes something, also within a common table expression."""
EXPLAIN = ("explain", "analyze", "analyse")
OPTIONS = ("analyze", "analyse", "format")
"""Words that begin a list of options, in parentheses, of EXPLAIN."""
WORD = re.compile(r"""[^\w()'"]*(\w+|[()'"])""")
"""The start of a token, which may contain Unicode spaces that DuckDB takes for spaces."""
REFUSED = (
    "the query was refused. {what} is no query. A query reads the given logs; it cannot change "
    "them, and cannot access files. Expected SELECT or FROM …; CREATE TEMP TABLE, VIEW or MACRO "
    "may come first."
)


def check(sql: str) -> None:
    """Raise QueryError if a statement does more than read, and duckdb.Error for invalid SQL."""
    try:
        sql.encode()
    except UnicodeEncodeError:
        raise QueryError("the query is not valid text: expected UTF-8.") from None
    statements = duckdb.extract_statements(sql)
    if not statements:
        raise QueryError("there is no query. Expected one, such as: FROM matches")
    for number, statement in enumerate(statements, start=1):
        words = _words(statement.query)
        if word := _inner_change(statement.query):
            raise QueryError(REFUSED.format(what=word.upper()))
        if words[:1] == ["explain"]:
            check(_explained(statement.query))
        elif (kind := _kind(statement)) not in READING and (
            not _is_temporary(words) or number == len(statements)
        ):
            name = kind if words[:1] == ["with"] else words[0]
            raise QueryError(REFUSED.format(what=name.upper()))


def check_one(sql: str) -> None:
    """Raise QueryError for several statements and for one that does more than read.

    Raises duckdb.Error for invalid SQL.
    """
    statements = duckdb.extract_statements(sql)
    if len(statements) > 1:
        raise QueryError(f"expected one query, found {len(statements)}; each needs a file")
    for statement in statements:
        word = _inner_change(statement.query)
        if word or _kind(statement) not in READING:
            found = (word or _words(statement.query)[0]).upper()
            raise QueryError(f"expected a query that only reads, found {found}")


def check_definitions(sql: str) -> None:
    """Raise QueryError for a statement that makes neither a view nor a macro.

    Raises duckdb.Error for invalid SQL.
    """
    for statement in duckdb.extract_statements(sql):
        words = [word for word in _words(statement.query) if word not in ("or", "replace")][:2]
        if words not in (["create", "view"], ["create", "macro"]):
            found = " ".join(words).upper()
            raise QueryError(f"expected CREATE VIEW or CREATE MACRO, found {found}")


def _kind(statement: duckdb.Statement) -> str:
    """Return DuckDB's name of a statement's type, "" for UPDATE EXTENSIONS, which has none."""
    try:
        return statement.type.name
    except ValueError:
        return ""


def without_end(sql: str) -> str:
    """Return ``sql`` without the semicolons at its end and the comments after them."""
    data = sql.encode()
    end = len(data)
    for start, word in reversed(_tokens(sql)):
        if word not in (";", ""):
            break
        end = start
    return data[:end].decode()


def _words(sql: str) -> list[str]:
    """Return the first four words of a statement, in lower case, without comments."""
    return [word for _, word in _tokens(sql)[:4]]


def _inner_change(sql: str) -> str | None:
    """Return the word that begins a changing statement within ``sql``, if there is one.

    It follows a parenthesis: the one before a common table expression, or the end of another one
    that it has itself. A column of such a name needs double quotes there.
    """
    words = [start[1] for _, token in _tokens(sql) if (start := WORD.match(token))]
    pairs = pairwise(words)
    return next((word for before, word in pairs if before in "()" and word in CHANGING), None)


def _tokens(sql: str) -> list[tuple[int, str]]:
    """Return each token that is not a comment, with its position in bytes."""
    data, tokens = sql.encode(), duckdb.tokenize(sql)
    ends = [*(start for start, _ in tokens[1:]), len(data)]
    return [
        (start, data[start:end].decode(errors="replace").strip().lower())
        for (start, type), end in zip(tokens, ends, strict=True)
        if type != duckdb.token_type.comment
    ]


def _explained(sql: str) -> str:
    """Return the statement after EXPLAIN and its options."""
    tokens = [*_tokens(sql), (len(sql.encode()), "")]
    first = next(n for n, (_, word) in enumerate(tokens) if word not in EXPLAIN)
    words = [word for _, word in tokens]
    if words[first] == "(" and words[first + 1] in OPTIONS:
        first = words.index(")") + 1
    return sql.encode()[tokens[first][0] :].decode()


def _is_temporary(words: list[str]) -> bool:
    """Return whether these words begin a CREATE TEMP statement."""
    head = [word for word in words if word not in ("or", "replace")]
    return head[:1] == ["create"] and head[1:2] in (["temp"], ["temporary"])
