"""Query logs as tables: ``koth.open``."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

import duckdb

from audit import query as queries
from audit import tables
from koth.library import html
from koth.library.paths import AnyPaths, as_paths, instance, raises_koth_errors
from schema import discovery
from schema.errors import KothError
from schema.words import counted

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation


class Database(AbstractContextManager["Database"]):
    """Logs as tables, read-only: ``with koth.open("spring") as database``.

    Attributes: ``games``, the games of its logs; ``logs``, the number of logs that were read;
    ``notes``, sentences about files that could not be read, which the table ``unread`` lists, and
    about matches that the tables count more than once.
    It serves one thread at a time: open the logs in each thread.
    """

    def __init__(self, database: tables.Database) -> None:
        self._database = database
        self._preparing = threading.Lock()
        self.games: Sequence[str] = database.games
        self.logs = database.logs
        self.notes = table_notes(database)

    @raises_koth_errors
    def sql(self, query: str) -> DuckDBPyRelation:
        """Return the rows of a query as a DuckDB relation.

        Its methods ``df``, ``pl``, ``to_arrow_table`` and ``fetchall`` run the query and return the
        rows, until the database is closed. CREATE TEMP TABLE, VIEW or MACRO may come before the
        query; what they make stays until then, too.
        Queries see the tables of the logs, and neither files nor variables of Python. Lines of
        evidence that cannot be read are left out, with a warning. Raises KothError if a statement
        does more than read, or if DuckDB refuses it; an error in a value, which DuckDB finds later,
        is a ``duckdb.Error``.
        """
        instance(query, str, "query", "a str")
        with self._preparing:
            known = self._database.skipped_summary
            rows = queries.relation(self._database, query)
        if (skipped := self._database.skipped_summary) != known:
            warnings.warn(skipped, stacklevel=3)
        return rows

    @raises_koth_errors
    def tables(self) -> dict[str, str]:
        """Return the tables that may have rows: their names, each with one sentence.

        Raises KothError if the database is closed, or busy with rows that are not read to the end.
        """
        try:
            with self._preparing:
                known = queries.non_empty(self._database, queries.tables(self._database))
        except duckdb.Error as error:
            raise KothError(f"the tables cannot be listed: {error}") from error
        return {table.name: table.description for table in known}

    def close(self) -> None:
        """Close the connection and delete its temporary files."""
        self._database.close()

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def _summary(self) -> str:
        return f"{counted(self.logs, 'log')} of {', '.join(self.games) or 'no game'}"

    def __repr__(self) -> str:
        return f"<koth.Database: {self._summary}>"

    def _repr_html_(self) -> str:
        rows = [(html.strong(name), html.text(about)) for name, about in self.tables().items()]
        return html.block(
            html.text(self._summary),
            *map(html.text, self.notes),
            html.details(counted(len(rows), "table"), html.table(("table", "rows"), rows)),
        )


@raises_koth_errors
def open(paths: AnyPaths) -> Database:
    """Open logs as tables in a read-only database.

    ``paths`` is a log, a folder, a bundle, an archive, or several of them. docs/sql.md describes
    the tables. Files that cannot be read are left out, with a warning. Raises KothError if there is
    no log.
    """
    places = as_paths(paths)
    logs = discovery.logs(places)
    opened = tables.open_database(places, logs=logs)
    opened.log_paths = logs.absolute()  # evidence is read later, perhaps in another working folder
    database = Database(opened)
    for note in database.notes:
        warnings.warn(note, stacklevel=3)
    return database


def notes(
    database: tables.Database, remedy: str = "the table unread lists them"
) -> tuple[str, ...]:
    """Return sentences about the files that could not be read, and the Parquet files not used.

    ``remedy`` says how to learn which files these are.
    """
    summary = database.unread_summary
    unread = [f"{summary}; {remedy}."] if summary else []
    return (*unread, *database.rejected_notes)


def table_notes(database: tables.Database) -> tuple[str, ...]:
    """Return the same sentences, and one about matches that the tables count more than once."""
    copies = database.copies_summary
    repeated = [f"{copies}; the tables count each log. Name one copy only."] if copies else []
    return (*notes(database), *repeated)
