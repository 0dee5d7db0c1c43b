"""Which statements a query may hold: those that read, and temporary helpers before them."""

from __future__ import annotations

import duckdb

from audit.errors import QueryError

READING = ("SELECT", "MULTI")
"""The types of statements that read, as DuckDB calls them; PIVOT is MULTI."""
EXPLAIN = ("explain", "analyze")
REFUSED = (
    "the query was refused. {what} is no query. A query reads the logs given on the command line; "
    "it cannot change them, and cannot touch files. Expected SELECT or FROM …, which CREATE TEMP "
    "TABLE, VIEW or MACRO may come before."
)


def check(sql: str) -> None:
    """Raise QueryError for a statement that changes anything, and duckdb.Error for no SQL."""
    statements = duckdb.extract_statements(sql)
    if not statements:
        raise QueryError("there is no query. Expected one, such as: FROM matches")
    for number, statement in enumerate(statements, start=1):
        words = _words(statement.query)
        if words[:1] == ["explain"]:
            check(_explained(statement.query))
        elif statement.type.name not in READING and (
            not _is_temporary(words) or number == len(statements)
        ):
            name = statement.type.name if words[:1] == ["with"] else words[0]
            raise QueryError(REFUSED.format(what=name.upper()))


def _words(sql: str) -> list[str]:
    """The first words of a statement, in lower case, without comments."""
    return [word for _, word in _tokens(sql)[:4]]


def _tokens(sql: str) -> list[tuple[int, str]]:
    """Where each token begins, in bytes, and what it is; comments are left out."""
    data = sql.encode()
    found = [one for one in duckdb.tokenize(sql) if one[1] != duckdb.token_type.comment]
    ends = [start for start, _ in found[1:]] + [len(data)]
    return [
        (start, data[start:end].decode(errors="replace").strip().lower())
        for (start, _), end in zip(found, ends, strict=True)
    ]


def _explained(sql: str) -> str:
    """The statement that EXPLAIN is about."""
    start = next((start for start, word in _tokens(sql) if word not in EXPLAIN), len(sql.encode()))
    return sql.encode()[start:].decode()


def _is_temporary(words: list[str]) -> bool:
    """Whether these words begin a statement that makes something for this query alone."""
    head = [word for word in words if word not in ("or", "replace")]
    return head[:1] == ["create"] and head[1:2] in (["temp"], ["temporary"])
