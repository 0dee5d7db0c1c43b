"""The SQL files that games name: read them and run their queries, with errors that name the file.

Those of other packages must only read, since a second statement could change what other rules see.
Koth's own are tested, and not checked again, because that takes longer than to run most of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from audit import memory, statements
from audit.errors import AuditError, QueryError
from audit.sql_files import Connection

OWN = Path(__file__).parent
"""The folder of the SQL files of Koth's own games."""


def text(path: Path, kind: str) -> str:
    """Return the text of a file of this ``kind``, such as ``view``. Raises AuditError."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise AuditError(f"{path}: this {kind} does not run: {error}") from error


def run(connection: Connection, path: Path, sql: str, kind: str) -> tuple[list[str], memory.Rows]:
    """Return the columns and rows of the query in a file. Raises AuditError, also if it writes."""
    with _naming(path, kind):
        if not path.is_relative_to(OWN):
            statements.check_one(sql)
        return memory.run(connection, sql)


def define(connection: Connection, path: Path, sql: str, changed: str) -> None:
    """Run ``changed``, a form of the file ``sql``, to make its views and macros.

    Raises AuditError, also if it does anything else.
    """
    with _naming(path, "SQL"):
        if not path.is_relative_to(OWN):
            statements.check_definitions(sql)
        memory.run(connection, changed)


@contextmanager
def _naming(path: Path, kind: str) -> Iterator[None]:
    """Name the file in the errors of a block that runs its SQL."""
    try:
        yield
    except QueryError as error:
        raise AuditError(f"{path}: {error}") from None
    except (duckdb.Error, OverflowError) as error:  # Python lacks an interval of a billion days
        raise AuditError(f"{path}: this {kind} does not run: {memory.message_of(error)}") from error
