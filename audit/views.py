"""The views that a game's rules share: its file ``_calls.sql`` makes Coup's view ``coup_calls``.

They are made in order of their names, each from tables and from views before it. DuckDB takes a
view for its text: one that names another twice has it worked out twice, with all that it names in
its turn, so that the last of them would take seconds to be understood, and more to be computed. A
temporary table of the same name hides a view from those who name it. So they are made with an
empty one before each, and computed once, in order, into a full one.
"""

from __future__ import annotations

import re
from pathlib import Path

import duckdb

from audit.errors import AuditError
from audit.loading.columns import quoted
from audit.loading.models import table_prefix
from audit.sql_files import run_script
from schema.registry import Card


def make(connection: duckdb.DuckDBPyConnection, card: Card) -> None:
    """Make the views of a game; AuditError tells of a bad one."""
    found = files(card)
    for view, path in found.items():
        run_script(connection, path)
        _hide(connection, view, path, "LIMIT 0")
    for view in found:
        connection.execute(f"DROP TABLE temp.{quoted(view)}")


def compute(connection: duckdb.DuckDBPyConnection, card: Card, words: str | None = None) -> None:
    """Compute the views of a game once, those that are named in ``words`` if these are given.

    Raises AuditError.
    """
    found = files(card)
    wanted = set(found) if words is None else _named(words, found)
    for view, path in found.items():
        if view in wanted:
            _hide(connection, view, path)


def files(card: Card) -> dict[str, Path]:
    """The views of a game, in the order in which they are made, and the file of each."""
    prefix = table_prefix(card.name)
    return {f"{prefix}{path.stem}": path for path in sorted(card.audit.glob("_*.sql"))}


def _named(text: str, found: dict[str, Path]) -> set[str]:
    """The views that a text names, and those that they are made from."""
    names = {word for word in re.findall(r"\w+", text.lower()) if word in found}
    below = {view: path for view, path in found.items() if view not in names}
    return names.union(*(_named(found[name].read_text(), below) for name in names))


def _hide(connection: duckdb.DuckDBPyConnection, view: str, path: Path, some: str = "") -> None:
    name = quoted(view)
    try:
        connection.execute(f"CREATE TEMP TABLE IF NOT EXISTS {name} AS FROM main.{name} {some}")
    except duckdb.Error as error:
        raise AuditError(f"{path}: its view {name} cannot be computed: {error}") from error
