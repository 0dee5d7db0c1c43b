"""Queries over the tables: rows for people and programs, and the list of what there is to query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from audit.columns import Column, Columns
from audit.errors import QueryError
from audit.tables import SQL, Database, common_models, models_of, table_prefix
from schema import registry

GENERAL = {
    "log": "The number of the log.",
    "match": "The match's id, {attempt}-{number}.",
    "game": "The game, as `koth games` lists it.",
    "seq": "The event's number in its log; it stands in line seq + 1.",
    "type": "The event's type.",
    "event": "The event as JSON.",
    "path": "The file.",
    "kind": "Of a log: match or tournament. Of a fault: how the bot failed.",
    "events": "How many events stand above the seal.",
    "finished": "The seq of the result.",
    "tournament_log": "The log of the tournament that the match belongs to, if it is here.",
    "verdict": "corrupt, unsupported, incomplete or unreadable.",
    "reason": "Why it ended, or why it could not be read.",
    "seat": "A player's place, from 0.",
    "void": "Whether the match counts for nothing: its tournament's log voids it.",
    "attempt": "The attempt of the tournament, from 1.",
    "won": "Whether the seat is among the winners.",
    "number": "Its place among the matches of its tournament, from 0.",
    "place": "The line of the table, from 1.",
}
"""What columns mean that no event model describes."""


@dataclass(frozen=True)
class Result:
    """What a query returns."""

    columns: tuple[str, ...]
    """Their names, each once."""
    rows: Sequence[tuple[object, ...]]


@dataclass(frozen=True)
class Table:
    """One table or view."""

    name: str
    description: str
    columns: tuple[Column, ...]


def query(database: Database, sql: str) -> Result:
    """The rows of one query, or of the last of several statements.

    Once a query has run, the database neither reads nor writes a file nor changes its
    configuration. Raises QueryError when DuckDB refuses.
    """
    _lock(database)
    try:
        cursor = database.connection.execute(sql)
        if cursor.description is None:
            return Result((), [])
        names = _distinct([column[0] for column in cursor.description])
        return Result(names, cursor.fetchall())
    except duckdb.Error as error:
        raise _refused(error) from error


def query_parquet(database: Database, sql: str) -> bytes:
    """The rows of one query as a Parquet file. Raises QueryError when DuckDB refuses."""
    _lock(database)
    path = _parquet(database)
    try:
        *before, last = database.connection.extract_statements(sql)
        for statement in before:
            database.connection.execute(statement)
        inner = last.query.strip().removesuffix(";")
        database.connection.execute(f"COPY ({inner}\n) TO '{path}' (FORMAT parquet)")
    except ValueError:
        raise QueryError("there is no query. Expected one, such as: FROM matches") from None
    except duckdb.Error as error:
        raise _refused(error) from error
    return path.read_bytes()


def tables(database: Database) -> list[Table]:
    """Every table and view that a query can use, with its columns."""
    rows = database.connection.execute(
        "SELECT table_name, column_name, data_type FROM duckdb_columns() "
        "WHERE schema_name = 'main' AND NOT internal ORDER BY table_name, column_index"
    ).fetchall()
    found: dict[str, list[tuple[str, str]]] = {}
    for table, column, type in rows:
        found.setdefault(table, []).append((column, type))
    typed = _typed_tables()
    return [_table(name, columns, typed.get(name)) for name, columns in found.items()]


def _table(name: str, columns: list[tuple[str, str]], model: Columns | None) -> Table:
    known = dict(GENERAL)
    for one in [model] if model else common_models():
        known |= {c.name: c.description for c in one.columns if c.description}
    described = tuple(Column(column, type, known.get(column, "")) for column, type in columns)
    return Table(name, model.description if model else _head(name), described)


def _typed_tables() -> dict[str, Columns]:
    """The event models behind the tables of single event types."""
    return {
        f"{table_prefix(name)}_{model.type}": model
        for name in registry.names()
        for model in models_of(registry.card(name))
    }


def _head(name: str) -> str:
    """The first line of the file that makes a table."""
    if name == "events":
        return "Every event of every log, as JSON."
    places = [SQL / "tables" / f"{name}.sql"]
    for game in registry.names():
        prefix = table_prefix(game)
        places.append(registry.card(game).audit / f"{name.removeprefix(prefix)}.sql")
    for path in places:
        if path.exists():
            return path.read_text().partition("\n")[0].removeprefix("-- ")
    return ""


def _lock(database: Database) -> None:
    """From here on only what is in memory can be read, and one file in our own folder written."""
    [(locked,)] = database.connection.execute(
        "SELECT current_setting('lock_configuration')"
    ).fetchall()
    if not locked:
        database.connection.execute(f"SET allowed_paths = ['{_parquet(database)}']")
        database.connection.execute("SET enable_external_access = false")
        database.connection.execute("SET lock_configuration = true")


def _parquet(database: Database) -> Path:
    return Path(database.folder.name) / "result.parquet"


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    """``names`` with a number behind those that are there already."""
    found: list[str] = []
    for name in names:
        count = sum(other == name for other in found)
        found.append(name if not count else f"{name}_{count}")
    return tuple(found)


def _refused(error: duckdb.Error) -> QueryError:
    """DuckDB's own words, which quote the place; and for a locked file what the reason is."""
    told = str(error)
    if isinstance(error, duckdb.PermissionException) or "has been locked" in told:
        told += "\nQueries see the logs given on the command line only; they cannot touch files."
    return QueryError(f"the query was refused. {told}")
