"""Run SQL files that make tables, views and macros."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import duckdb

from audit.errors import AuditError


class Connection(Protocol):
    """A connection of DuckDB, or a database that makes the tables that a statement names."""

    def execute(self, query: str, parameters: object = None, /) -> duckdb.DuckDBPyConnection:
        """Run SQL. Raises duckdb.Error."""

    def interrupt(self) -> None:
        """Stop the statement that runs in another thread."""


def run_scripts(connection: Connection, folder: Path, pattern: str = "*.sql") -> None:
    """Run the SQL files of a folder in order of their names. Raises AuditError if one fails."""
    for path in sorted(folder.glob(pattern)):
        try:
            connection.execute(path.read_text(encoding="utf-8"))
        except duckdb.Error as error:
            raise AuditError(f"{path}: this SQL does not run: {error}") from error
