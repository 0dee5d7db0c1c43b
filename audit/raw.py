"""What is read of logs: the tables of the schema ``raw``, from which all others are made.

Many logs that were read before, and have not changed since, are not read again
(:mod:`audit.cache`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import rmtree

import duckdb

from audit import bulk, cache, ready
from audit.bulk import InDoubt, bulk_types
from audit.columns import literal, quoted, union
from audit.errors import AuditError
from audit.models import common_models, models_of, table_prefix
from audit.ready import Ready
from audit.spool import COMMON, LOGS, UNREAD, Spool, Task, game_file, spool
from schema import registry
from schema.mapper import Mapper
from schema.place import path_text

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


SOON_GONE = BulkTables()
"""For files that go with the database."""


@dataclass(frozen=True)
class Raw:
    """What was read of logs: tables in the schema ``raw``, and files with bulk events."""

    games: Set[str]
    bulk: Mapping[tuple[str, str], Path]
    """Parquet files, by game and type."""
    files: Sequence[Path] = ()
    """The Parquet files that the tables are views of, if they are."""


def read(
    connection: duckdb.DuckDBPyConnection,
    place: Path,
    tasks: Sequence[Task],
    how: BulkTables,
    each: Mapper,
    *,
    kept: bool,
) -> Raw:
    """Make the tables of these logs; files go into the folder ``place``.

    With ``kept``, what the cache has of them is used, and what it may have is put there.
    """
    key = cache.key(tasks, how) if kept else None
    found = _read_again(connection, place, key) if key else None
    if found:
        return found
    spooled = place / "spool"
    try:
        found = _read(connection, spooled, tasks, how, each)
    except InDoubt:
        rmtree(spooled)
        connection.execute("DROP SCHEMA raw CASCADE")
        strictly = [replace(task, bulk=False) for task in tasks]
        found = _read(connection, spooled, strictly, how, each)
    if key and key == cache.key(tasks, how):
        _keep(connection, place, key, found)
    return found


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


def _read_again(connection: duckdb.DuckDBPyConnection, place: Path, key: str) -> Raw | None:
    """What was kept of logs that were read before; None if nothing was."""
    kept = place / "kept"
    if not cache.fetch(key, kept):
        return None
    rows = connection.execute(
        f"SELECT DISTINCT _game FROM read_parquet({ready.listed([kept / 'logs.parquet'])})"
    ).fetchall()
    games = {game for (game,) in rows}
    connection.execute("CREATE SCHEMA raw")
    tables = _raw_tables(games)
    paths = {table: kept / f"{table}.parquet" for table in tables}
    for table, (_, columns) in tables.items():
        kind = "TABLE" if table in ("logs", "unread") else "VIEW"  # archives add to these tables
        connection.execute(
            f"CREATE {kind} raw.{quoted(table)} AS SELECT {typed(columns)} "
            f"FROM read_parquet({ready.listed([paths[table]])}, hive_partitioning = false)"
        )
    written = {
        (game, type): path
        for game in games
        for type, one in bulk_types(game).items()
        if (path := kept / f"{one.name}.parquet").exists()
    }
    return Raw(games, written, list(paths.values()))


def _keep(connection: duckdb.DuckDBPyConnection, place: Path, key: str, raw: Raw) -> None:
    """Keep what was read for the next time, if all files could be opened."""
    [(unopened,)] = connection.execute(
        "SELECT count(*) FROM raw.unread WHERE verdict = 'unreadable'"
    ).fetchall()
    if unopened:
        return
    paths = {table: place / f"{table}.parquet" for table in _raw_tables(raw.games)}
    try:
        for table, path in paths.items():
            connection.execute(f"COPY raw.{quoted(table)} TO {literal(path)} (FORMAT parquet)")
        cache.store(key, [*paths.values(), *raw.bulk.values()])
    except duckdb.Error:  # as on a full disk
        pass
    finally:
        for path in paths.values():
            path.unlink(missing_ok=True)


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
                    f"folder {ready.PARQUET}; koth pack makes it again"
                ) from error


def _write_bulk(
    connection: duckdb.DuckDBPyConnection, done: Spool, how: BulkTables
) -> dict[tuple[str, str], Path]:
    """The bulk events as Parquet files. Raises InDoubt."""
    written = {}
    for name, one in done.bulk.items():
        path = done.folder / f"{name}.parquet"
        bulk.write(connection, one, done.file(name), path, how.options, how.head)
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
