"""What is read of logs: the tables of the schema ``raw``, from which all others are made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import rmtree

import duckdb

from audit.errors import AuditError
from audit.loading import columnar, vouched
from audit.loading.columnar import InDoubt
from audit.loading.columns import quoted, union
from audit.loading.models import common_models, models_of, table_prefix
from audit.loading.parquet import Ready
from audit.loading.strict import COMMON, LOGS, UNREAD, Spool, Task, game_file, spool
from schema import registry
from schema.executor import Mapper
from schema.log_path import path_text

PLACE = {"_log": "BIGINT", "_game": "VARCHAR", "_match": "VARCHAR"}
"""What the spool puts in front of every event; no field of an event begins with an underscore."""

LINE = PLACE | {"seq": "BIGINT", "type": "VARCHAR"}

LOGS_COLUMNS = PLACE | {
    "path": "VARCHAR",
    "folder": "VARCHAR",
    "kind": "VARCHAR",
    "rules": "VARCHAR",
    "tournament": "VARCHAR",
    "bulk_type": "VARCHAR",
    "bulk": "BIGINT",
}
UNREAD_COLUMNS = {"path": "VARCHAR", "verdict": "VARCHAR", "reason": "VARCHAR"}
LINE_BYTES = 16 << 20
"""Lines up to this size DuckDB takes by itself."""


@dataclass(frozen=True)
class BulkTables:
    """How the Parquet files of bulk events are written."""

    options: str = "COMPRESSION snappy"
    """Of COPY."""
    head: str = ""
    """Columns that come first, each with a comma behind."""


TEMPORARY = BulkTables()
"""For files that go with the database."""


@dataclass(frozen=True)
class Raw:
    """What was read of logs: tables in the schema ``raw``, and files with bulk events."""

    games: Set[str]
    bulk: Mapping[tuple[str, str], Path]
    """Parquet files, by game and type."""


def read(
    connection: duckdb.DuckDBPyConnection,
    place: Path,
    tasks: Sequence[Task],
    how: BulkTables,
    each: Mapper,
) -> Raw:
    """Make the tables of these logs; files go into the folder ``place``."""
    spooled = place / "spool"
    try:
        return _read(connection, spooled, tasks, how, each)
    except InDoubt:
        rmtree(spooled)
        connection.execute("DROP SCHEMA raw CASCADE")
        strictly = [replace(task, bulk=False) for task in tasks]
        return _read(connection, spooled, strictly, how, each)


def _read(
    connection: duckdb.DuckDBPyConnection,
    place: Path,
    tasks: Iterable[Task],
    how: BulkTables,
    each: Mapper,
) -> Raw:
    """Read logs strictly; the folder ``place`` is made for the files. Raises InDoubt."""
    place.mkdir()
    done = spool(tasks, place, each)
    connection.execute("CREATE SCHEMA raw")
    for table, (name, columns) in _raw_tables(done.games).items():
        _load(connection, done, table, name, columns)
    return Raw(done.games, _write_bulk(connection, done, how))


def _raw_tables(games: Iterable[str]) -> dict[str, tuple[str, dict[str, str]]]:
    """The tables of logs of these games: the spool file of each, and its columns."""
    common = {
        "logs": (LOGS, LOGS_COLUMNS),
        "unread": (UNREAD, UNREAD_COLUMNS),
        "spooled": (COMMON, shared()),
    }
    return common | {_table(game): (game_file(game), _own(game)) for game in sorted(games)}


def table(game: str) -> str:
    """The table of a game's own events, as SQL names it."""
    return f"raw.{quoted(_table(game))}"


def _table(game: str) -> str:
    return f"game_{table_prefix(game)}"


def shared() -> dict[str, str]:
    """The columns of the events that all games share."""
    return LINE | union(common_models())


def add_ready(connection: duckdb.DuckDBPyConnection, readies: Iterable[Ready]) -> None:
    """What is known of the matches that are ready, and of files in their bundles left unread."""
    for one in readies:
        path, home = path_text(one.bundle.path), path_text(one.bundle.path.absolute())
        for table, query in one.logs_and_unread(path, home):
            try:
                connection.execute(f"INSERT INTO raw.{table} BY NAME {query}")
            except duckdb.Error as error:
                raise AuditError(
                    f"{one.bundle.path}: the tables beside it are damaged: {error}. Remove the "
                    f"folder {vouched.PARQUET}; koth pack makes it again"
                ) from error


def _write_bulk(
    connection: duckdb.DuckDBPyConnection, done: Spool, how: BulkTables
) -> dict[tuple[str, str], Path]:
    """The bulk events as Parquet files. Raises InDoubt."""
    written = {}
    for name, one in done.bulk.items():
        path = done.folder / f"{name}.parquet"
        columnar.write(connection, one, done.file(name), path, how.options, how.head)
        done.file(name).unlink()
        written[one.game, one.columns.type] = path
    return written


def typed(columns: Mapping[str, str]) -> str:
    """The columns, each of its type."""
    return ", ".join(f"{quoted(name)}::{type} AS {quoted(name)}" for name, type in columns.items())


def _load(
    connection: duckdb.DuckDBPyConnection,
    done: Spool,
    table: str,
    name: str,
    columns: dict[str, str],
) -> None:
    """The table ``raw.<table>`` with the lines of a spool file; empty when there is none."""
    path = done.file(name)
    if not path.exists():
        _make_empty(connection, table, columns)
        return
    types = ", ".join(f"'{column}': '{type}'" for column, type in columns.items())
    try:
        connection.execute(
            f"CREATE TABLE raw.{quoted(table)} AS FROM read_json($path, "
            f"format = 'newline_delimited', columns = {{{types}}}, maximum_object_size = $size)",
            {"path": str(path), "size": max(LINE_BYTES, done.longest + 1)},
        )
    except duckdb.Error as error:
        raise AuditError(f"the logs do not fit the tables of their events: {error}") from error


def make_empty(connection: duckdb.DuckDBPyConnection, game: str) -> None:
    """The table of the own events of a game that has none."""
    _make_empty(connection, _table(game), _own(game))


def _make_empty(
    connection: duckdb.DuckDBPyConnection, table: str, columns: Mapping[str, str]
) -> None:
    declared = ", ".join(f"{quoted(column)} {type}" for column, type in columns.items())
    connection.execute(f"CREATE TABLE raw.{quoted(table)} ({declared})")


def _own(game: str) -> dict[str, str]:
    """The columns of a game's own events; a card's contract keeps them apart from the others."""
    return LINE | union(models_of(registry.card(game)))
