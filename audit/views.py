"""Views that the rules of one game share: the file ``_calls.sql`` makes the view ``coup_calls``.

Views are made in order of their names, each from tables and earlier views. DuckDB inlines the text
of a view wherever a query names it, so that nested views take seconds to plan and longer to run.
A temporary table of the same name hides a view. So an empty temporary table hides each view while
later views are made, and a full one holds its rows, computed once, when rules need them. Views take
long to make, so they are made when a query names them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import duckdb

from audit import memory, package_sql
from audit.errors import AuditError
from audit.loading.columns import quoted
from audit.sql_files import Connection
from schema.card import Card

MADE = re.compile(r"^CREATE (?:VIEW|MACRO) (\w+)", re.M)
COMMENT = re.compile(r"--.*")

CREATE = re.compile(r"^CREATE (VIEW|MACRO)\b", re.M)
VIEWS = {"VIEW": "CREATE OR REPLACE VIEW", "MACRO": "CREATE OR REPLACE MACRO"}
TABLES = {"VIEW": "CREATE TEMP TABLE", "MACRO": "CREATE OR REPLACE MACRO"}
"""A file makes a view, or at once the table of its rows, which takes half the planning."""


def make(connection: Connection, card: Card) -> None:
    """Make the views of a game that do not exist yet. Raises AuditError if one fails."""
    rows = connection.execute("SELECT view_name FROM duckdb_views()").fetchall()
    existing, computed = {name for (name,) in rows}, _computed(connection)
    missing = {view: path for view, path in files(card).items() if view not in existing}
    for view, path in missing.items():
        _run(connection, view, path, VIEWS)
        if view not in computed:
            _hide(connection, view, path)
    for view in missing.keys() - computed:
        connection.execute(f"DROP TABLE temp.{quoted(view)}")


def compute(
    connection: Connection,
    card: Card,
    words: str,
    parts: Sequence[int] = (),
) -> None:
    """Compute once the views of a game that are named in the queries ``words``.

    Each is computed part by part of the logs; ``parts`` are the numbers of the logs that begin a
    further part. Raises AuditError if a view fails.
    """
    paths = files(card)
    names = needed(words, texts(card))
    computed = _computed(connection) if names else set()
    for view in names:
        if view in computed:
            continue
        if parts:
            _run(connection, view, paths[view], VIEWS)
            _hide(connection, view, paths[view], parts)
        else:
            _run(connection, view, paths[view], TABLES)


def drop_rows(connection: Connection, card: Card) -> None:
    """Delete the rows of the computed views of a game; the views remain."""
    for view in files(card):
        connection.execute(f"DROP TABLE IF EXISTS temp.{quoted(view)}")


def files(card: Card) -> dict[str, Path]:
    """Return the files of a game's views by view name, in the order of creation."""
    return {f"{card.name}{path.stem}": path for path in sorted(card.audit.glob("_*.sql"))}


def texts(card: Card) -> dict[str, str]:
    """Return the contents of these files by view name, in the order of creation."""
    return {view: package_sql.text(path, "view") for view, path in files(card).items()}


def needed(text: str, sql: Mapping[str, str]) -> list[str]:
    """Return the views that a text names, and those that they need, in the order of creation.

    ``sql`` has the contents of the files by view name. A file may make macros too, and whatever
    names a macro needs its view.
    """
    makers = {name: view for view, words in sql.items() for name in MADE.findall(words)}
    names: set[str] = set()
    left = [text.lower()]
    while left:
        words = re.findall(r"\w+", COMMENT.sub("", left.pop()))
        new = {makers[word] for word in words if word in makers} - names
        names |= new
        left += [sql[view] for view in new]
    return [view for view in sql if view in names]


def _computed(connection: Connection) -> set[str]:
    """Return the names of the views whose rows are in a temporary table."""
    query = "SELECT table_name FROM duckdb_tables() WHERE temporary"
    return {name for (name,) in connection.execute(query).fetchall()}


def _run(connection: Connection, view: str, path: Path, makes: Mapping[str, str]) -> None:
    """Run the file of ``view``; it makes anew what exists. Raises AuditError if it fails."""
    text = package_sql.text(path, "view")
    if view not in MADE.findall(text):
        expected = f"expected a line that begins with 'CREATE VIEW {view} AS'"
        raise AuditError(f"{path}: {expected}, found none")
    package_sql.define(connection, path, text, CREATE.sub(lambda match: makes[match[1]], text))


def _hide(connection: Connection, view: str, path: Path, parts: Sequence[int] = ()) -> None:
    """Hide a view by a temporary table of the same name: empty, or with its rows, in ``parts``."""
    name = quoted(view)
    try:
        memory.run(connection, f"CREATE TEMP TABLE {name} AS FROM main.{name} LIMIT 0")
        if not parts:
            return
        columns, _ = memory.run(connection, f"FROM temp.{name}")
        # Now main is the temporary schema of that name.
        [(database,)] = connection.execute("SELECT current_database()").fetchall()
        rows = f"FROM {quoted(database)}.main.{name}"
        for where in conditions(parts if "log" in columns else ()):
            memory.run(connection, f"INSERT INTO temp.{name} {rows} WHERE {where}")
    except duckdb.Error as error:
        raise AuditError(
            f"{path}: its view {name} cannot be computed: {memory.message_of(error)}"
        ) from error


def conditions(parts: Sequence[int]) -> Iterator[str]:
    """Yield the conditions on the column ``log`` of which each row fulfils one, part by part."""
    if not parts:
        yield "true"
        return
    yield f"log < {parts[0]}"
    yield from (f"log >= {first} AND log < {end}" for first, end in pairwise(parts))
    yield f"log >= {parts[-1]}"
    yield "log IS NULL"
