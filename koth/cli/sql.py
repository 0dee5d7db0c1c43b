"""``koth sql``: query logs with SQL."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from koth.cli import inputs
from koth.cli.output import note, say, stdout
from schema.errors import UsageError
from schema.files import write_new

if TYPE_CHECKING:
    from audit.query import Result
    from audit.tables import Database


PREVIEW_ROWS = 3
"""Rows shown of a table."""


class SqlFormat(StrEnum):
    """Output formats of rows."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"
    MARKDOWN = "markdown"


def sql(
    words: Annotated[
        list[str],
        typer.Argument(
            help="Logs, or folders and bundles with logs; then a query, or the name of a table. "
            "Default: list the tables.",
            metavar="PATH|QUERY|TABLE",
        ),
    ],
    file: Annotated[
        Path | None, typer.Option(help="Read the query from this file.", metavar="FILE")
    ] = None,
    format: Annotated[
        SqlFormat,
        typer.Option(
            "--format", help="Output format of the rows.", metavar="table|csv|json|parquet|markdown"
        ),
    ] = SqlFormat.TABLE,
    output: Annotated[
        Path | None, typer.Option("-o", help="A new file for the rows.", metavar="FILE")
    ] = None,
) -> None:
    """Run an SQL query, show a table, or list the tables."""
    from audit.tables import open_database
    from koth.library.database import table_notes

    paths, text = _split(words, file)
    if format is SqlFormat.PARQUET and text is None:
        raise UsageError("--format parquet: expected a query, found none.")
    if format is SqlFormat.PARQUET and output is None and stdout().isatty():
        raise UsageError(
            "--format parquet: expected a file (-o FILE) or a pipe, found a terminal; the rows are "
            "binary."
        )
    if output is not None:
        inputs.check_new_file(output)
    inputs.warn_without_logs(paths)
    with open_database(paths) as database:
        inputs.warn(table_notes(database))
        rows = _tables(database, format) if text is None else _rows(database, text, format)
        if skipped := database.skipped_summary:
            note(skipped)
    if output is not None:
        write_new(output, rows.encode() if isinstance(rows, str) else rows)
    elif isinstance(rows, bytes):
        stdout().buffer.write(rows)
    else:
        say(rows, end="")


def _tables(database: Database, format: SqlFormat) -> str:
    """Return the tables that have rows: names for people, columns for programs."""
    from audit import query, result_format

    tables = query.non_empty(database, query.tables(database))
    if format is SqlFormat.TABLE:
        note("`koth sql PATH… TABLE` shows a table.")
        return result_format.list_tables(tables)
    return _formatted(result_format.columns_of(tables), format)


def _rows(database: Database, text: str, format: SqlFormat) -> str | bytes:
    """Return the rows of a query or a table; for people, a description and the first rows."""
    from audit import query, result_format
    from audit.loading.columns import quoted

    if table := query.table_named(database, text):
        text = f"FROM {quoted(table.name)}"
        if format is SqlFormat.TABLE:
            first = query.query(database, f"{text} LIMIT {PREVIEW_ROWS}")
            return result_format.describe(table, first)
    if format is SqlFormat.PARQUET:
        return query.query_parquet(database, text)
    return _formatted(query.query(database, text), format)


def _formatted(result: Result, format: SqlFormat) -> str:
    from audit import result_format

    formatters = {
        SqlFormat.TABLE: result_format.as_table,
        SqlFormat.CSV: result_format.as_csv,
        SqlFormat.JSON: result_format.as_json,
        SqlFormat.MARKDOWN: result_format.as_markdown,
    }
    return formatters[format](result)


def _split(words: list[str], file: Path | None) -> tuple[list[Path], str | None]:
    """Return the paths and the query, which is in ``file`` or is a last word that is no path."""
    paths, text = inputs.paths_and_word(words)
    if file is None:
        return paths, text
    if text is not None:
        raise UsageError(f"--file: expected paths only, found the query or table '{text}' as well.")
    try:
        return paths, file.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--file: {file}: cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"--file: {file}: expected a query in UTF-8, found other bytes.") from None
