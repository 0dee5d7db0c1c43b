"""Views that the rules of one game share: the file ``_calls.sql`` makes the view ``coup_calls``.

Views are made in order of their names, each from tables and earlier views. DuckDB inlines the text
of a view wherever a query names it, so that nested views take seconds to plan and longer to run.
A temporary table of the same name hides a view. So an empty temporary table hides each view while
later views are made, and a full one holds its rows, computed once, when rules need them. Views take
long to make, so they are made when a query names them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import duckdb

from audit.errors import AuditError
from audit.loading.columns import quoted
from audit.loading.models import table_prefix
from audit.sql_files import Connection, run_script
from schema.registry import Card

MADE = re.compile(r"^CREATE (?:VIEW|MACRO) (\w+)", re.M)
COMMENT = re.compile(r"--.*")


def make(connection: Connection, card: Card) -> None:
    """Make the views of a game that do not exist yet. Raises AuditError if one fails."""
    existing = _existing(connection)
    missing = {view: path for view, path in files(card).items() if view not in existing}
    for view, path in missing.items():
        run_script(connection, path)
        _hide(connection, view, path, "LIMIT 0")
    for view in missing:
        connection.execute(f"DROP TABLE temp.{quoted(view)}")


def compute(connection: Connection, card: Card, words: str | None = None) -> None:
    """Make and compute the views of a game once: all, or those named in the query ``words``.

    Raises AuditError if a view fails.
    """
    paths = files(card)
    texts = {} if words is None else {view: path.read_text() for view, path in paths.items()}
    names = list(paths) if words is None else needed(words, texts)
    existing = _existing(connection) if names else set()
    for view in names:
        if view not in existing:
            run_script(connection, paths[view])
        _hide(connection, view, paths[view])


def files(card: Card) -> dict[str, Path]:
    """Return the files of a game's views by view name, in the order of creation."""
    prefix = table_prefix(card.name)
    return {f"{prefix}{path.stem}": path for path in sorted(card.audit.glob("_*.sql"))}


def needed(text: str, sql: Mapping[str, str]) -> list[str]:
    """Return the views that a text names, and those that they need, in the order of creation.

    ``sql`` has the contents of the files by view name. A file may make macros too, and whatever
    names a macro needs its view.
    """
    makers = {name: view for view, words in sql.items() for name in MADE.findall(words)}
    names: set[str] = set()
    texts = [text.lower()]
    while texts:
        words = re.findall(r"\w+", COMMENT.sub("", texts.pop()))
        new = {makers[word] for word in words if word in makers} - names
        names |= new
        texts += [sql[view] for view in new]
    return [view for view in sql if view in names]


def _existing(connection: Connection) -> set[str]:
    """Return the names of all views."""
    rows = connection.execute("SELECT view_name FROM duckdb_views()").fetchall()
    return {name for (name,) in rows}


def _hide(connection: Connection, view: str, path: Path, limit: str = "") -> None:
    """Store the rows of a view in a temporary table of the same name."""
    name = quoted(view)
    try:
        connection.execute(f"CREATE TEMP TABLE IF NOT EXISTS {name} AS FROM main.{name} {limit}")
    except duckdb.Error as error:
        raise AuditError(f"{path}: its view {name} cannot be computed: {error}") from error
