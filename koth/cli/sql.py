"""``koth sql``: history as a database."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from koth.cli import inputs

if TYPE_CHECKING:
    from audit.query import Result
    from audit.tables import Database


FIRST = 3
"""Rows that are shown of a table."""


class SqlFormat(StrEnum):
    """How rows are written."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"
    MARKDOWN = "markdown"


def sql(
    words: Annotated[
        list[str],
        typer.Argument(
            help="Logs, folders and bundles of them; then a query, or a table to show. "
            "Without either: lists the tables.",
            metavar="PATH|QUERY|TABLE",
        ),
    ],
    file: Annotated[
        Path | None, typer.Option(help="A file with the query.", metavar="FILE")
    ] = None,
    format: Annotated[
        SqlFormat, typer.Option("--format", help="How rows are written.")
    ] = SqlFormat.TABLE,
    output: Annotated[
        Path | None, typer.Option("-o", help="A new file for the rows.", metavar="FILE")
    ] = None,
) -> None:
    """Ask a question in SQL, show a table, or list the tables."""
    from audit.tables import open_database
    from schema.files import write_new

    paths, text = _split(words, file)
    if format is SqlFormat.PARQUET and text is None:
        raise typer.BadParameter("Parquet holds the rows of a query: give one.")
    if format is SqlFormat.PARQUET and output is None and sys.stdout.isatty():
        raise typer.BadParameter("Parquet is no text: give it a file, -o FILE, or a pipe.")
    if output is not None and os.path.lexists(output):
        raise typer.BadParameter(f"-o {output}: there is something already; expected a new file.")
    with open_database(paths) as database:
        if database.unread_summary:
            print(f"koth: {database.unread_summary}; the table unread has them.", file=sys.stderr)
        sys.stderr.write(database.rejected_lines)
        rows = _listed(database, format) if text is None else _asked(database, text, format)
        if database.skipped:
            left_out = f"lines of evidence that could not be read: {database.skipped}"
            print(f"koth: {left_out}. They are left out.", file=sys.stderr)
    if output is not None:
        write_new(output, rows.encode() if isinstance(rows, str) else rows)
    elif isinstance(rows, bytes):
        sys.stdout.buffer.write(rows)
    else:
        print(rows, end="")


def _listed(database: Database, format: SqlFormat) -> str:
    """The tables that have rows: their names for people, their columns for programs."""
    from audit import query, result_format

    tables = query.non_empty(database, query.tables(database))
    if format is SqlFormat.TABLE:
        print("koth: `koth sql PATH… TABLE` shows a table.", file=sys.stderr)
        return result_format.list_tables(tables)
    return _written(result_format.columns_of(tables), format)


def _asked(database: Database, text: str, format: SqlFormat) -> str | bytes:
    """The rows of a query; of a table that is named alone all rows, or for people the first."""
    from audit import query, result_format
    from audit.loading.columns import quoted

    if table := query.table_named(database, text):
        text = f"FROM {quoted(table.name)}"
        if format is SqlFormat.TABLE:
            return result_format.describe(table, query.query(database, f"{text} LIMIT {FIRST}"))
    if format is SqlFormat.PARQUET:
        return query.query_parquet(database, text)
    return _written(query.query(database, text), format)


def _written(result: Result, format: SqlFormat) -> str:
    """Rows as text."""
    from audit import result_format

    writers = {
        SqlFormat.TABLE: result_format.as_table,
        SqlFormat.CSV: result_format.as_csv,
        SqlFormat.JSON: result_format.as_json,
        SqlFormat.MARKDOWN: result_format.as_markdown,
    }
    return writers[format](result)


def _split(words: list[str], file: Path | None) -> tuple[list[Path], str | None]:
    """Paths and query: the last word is the query if it is not a path that exists."""
    if file is not None:
        try:
            return [Path(word) for word in words], file.read_text()
        except (OSError, UnicodeDecodeError) as error:
            raise typer.BadParameter(f"--file {file}: cannot be read: {error}") from None
    return inputs.paths_and_word(words)
