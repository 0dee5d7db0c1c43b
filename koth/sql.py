"""``koth sql``: history as a database."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


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
            help="Logs, or folders that hold logs; then a query. Without one: lists the tables.",
            metavar="PATH|QUERY",
        ),
    ],
    file: Annotated[
        Path | None, typer.Option(help="A file with the query.", metavar="FILE")
    ] = None,
    format: Annotated[
        SqlFormat, typer.Option("--format", help="How rows are written.")
    ] = SqlFormat.TABLE,
) -> None:
    """Ask a question in SQL, or list the tables there are."""
    from audit import query, rows
    from audit.tables import open_database

    paths, text = _split(words, file)
    with open_database(paths) as database:
        if database.unread:
            left_out = f"{database.unread} of {database.unread + database.logs} files"
            print(
                f"koth: {left_out} could not be read; the table unread has them.", file=sys.stderr
            )
        if text is None:
            print(rows.list_tables(query.tables(database)), end="")
        elif format is SqlFormat.PARQUET:
            if sys.stdout.isatty():
                raise typer.BadParameter("Parquet is no text: send it to a file or a pipe.")
            sys.stdout.buffer.write(query.query_parquet(database, text))
        else:
            renderers = {
                SqlFormat.TABLE: rows.as_table,
                SqlFormat.CSV: rows.as_csv,
                SqlFormat.JSON: rows.as_json,
                SqlFormat.MARKDOWN: rows.as_markdown,
            }
            print(renderers[format](query.query(database, text)), end="")


def _split(words: list[str], file: Path | None) -> tuple[list[Path], str | None]:
    """Paths and query: the last word is the query if it is not a path that exists."""
    if file is not None:
        try:
            return [Path(word) for word in words], file.read_text()
        except (OSError, UnicodeDecodeError) as error:
            raise typer.BadParameter(f"--file {file}: cannot be read: {error}") from None
    if len(words) > 1 and not os.path.exists(words[-1]):  # noqa: PTH110 (Path refuses long ones)
        return [Path(word) for word in words[:-1]], words[-1]
    return [Path(word) for word in words], None
