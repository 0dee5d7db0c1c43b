"""Load logs into the tables of the schema ``raw``, from which all other tables are made."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import rmtree

import duckdb

from audit import memory
from audit.errors import AuditError
from audit.loading import columnar
from audit.loading.columnar import NeedsStrictRead
from audit.loading.columns import literal, quoted, union
from audit.loading.models import common_models, models_of
from audit.loading.parquet import ParquetBundle, naming_damage
from audit.loading.strict import LOGS, STAGED, UNREAD, ReadTask, Staging, game_table, stage_logs
from schema import registry
from schema.executor import Mapper
from schema.log_path import path_text

ORIGIN = {"_log": "BIGINT", "_game": "VARCHAR", "_match": "VARCHAR"}
"""Columns that a staging file adds to every event; event fields never begin with an underscore."""

EVENT = ORIGIN | {"seq": "BIGINT", "type": "VARCHAR"}

LOGS_COLUMNS = ORIGIN | {
    "path": "VARCHAR",
    "folder": "VARCHAR",
    "kind": "VARCHAR",
    "rules": "VARCHAR",
    "tournament": "VARCHAR",
    "bulk_type": "VARCHAR",
    "bulk": "BIGINT",
}
UNREAD_COLUMNS = dict.fromkeys(("_game", "path", "verdict", "reason"), "VARCHAR")
"""The game is that of the first line; NULL if no first line could be read."""


@dataclass(frozen=True)
class BulkTables:
    """Format of the Parquet files of bulk events."""

    options: str = "COMPRESSION snappy"
    """Options of COPY."""
    head: str = ""
    """Columns that come first, each followed by a comma."""


TEMPORARY = BulkTables()
"""The format of files that are deleted with the database."""


@dataclass(frozen=True)
class RawTables:
    """The tables of the schema ``raw``, and the files of bulk events."""

    games: Set[str]
    """Games of the logs."""
    bulk: Mapping[tuple[str, str], Path]
    """Parquet files, by game and event type."""
    parts: Sequence[int]
    """Numbers of logs that cut the logs into parts of similar size, in order."""


def load_logs(
    connection: duckdb.DuckDBPyConnection,
    folder: Path,
    tasks: Sequence[ReadTask],
    bulk_tables: BulkTables,
    mapper: Mapper,
) -> RawTables:
    """Load logs into the schema ``raw``; ``folder`` receives the files."""
    staging = folder / "staging"
    try:
        return _load_logs(connection, staging, tasks, bulk_tables, mapper)
    except NeedsStrictRead:
        rmtree(staging)
        connection.execute("DROP SCHEMA raw CASCADE")
        strict_tasks = [replace(task, bulk=False) for task in tasks]
        return _load_logs(connection, staging, strict_tasks, bulk_tables, mapper)


def _load_logs(
    connection: duckdb.DuckDBPyConnection,
    folder: Path,
    tasks: Iterable[ReadTask],
    bulk_tables: BulkTables,
    mapper: Mapper,
) -> RawTables:
    """Load logs by way of staging files in the new folder ``folder``. Raises NeedsStrictRead."""
    folder.mkdir()
    staging = stage_logs(tasks, folder, mapper)
    connection.execute("CREATE SCHEMA raw")
    common = {LOGS: LOGS_COLUMNS, UNREAD: UNREAD_COLUMNS, STAGED: shared_columns()}
    own = {game_table(game): _game_columns(game) for game in sorted(staging.games)}
    for table, columns in (common | own).items():
        _load_table(connection, staging, table, columns)
    bulk = _write_bulk(connection, staging, bulk_tables)
    return RawTables(staging.games, bulk, staging.parts)


def shared_columns() -> dict[str, str]:
    """Return the columns of the events that all games share."""
    return EVENT | union(common_models())


def add_parquet_bundles(
    connection: duckdb.DuckDBPyConnection, bundles: Iterable[ParquetBundle]
) -> None:
    """Add the matches and the unread files of bundles that are read from Parquet files.

    Raises AuditError if a Parquet file is damaged.
    """
    for parquet in bundles:
        bundle = parquet.bundle.path
        for table, query in parquet.logs_and_unread(
            path_text(bundle), path_text(bundle.absolute())
        ):
            with naming_damage(connection, [parquet]):
                connection.execute(f"INSERT INTO raw.{table} BY NAME {query}")


def _write_bulk(
    connection: duckdb.DuckDBPyConnection, staging: Staging, bulk_tables: BulkTables
) -> dict[tuple[str, str], Path]:
    """Write the bulk events as Parquet files. Raises NeedsStrictRead."""
    written = {}
    for name, bulk in staging.bulk.items():
        [source], target = staging.files[name], staging.folder / f"{name}.parquet"
        columnar.write(connection, bulk, source, target, bulk_tables.options, bulk_tables.head)
        source.unlink()
        written[bulk.game, bulk.columns.type] = target
    return written


def typed(columns: Mapping[str, str]) -> str:
    """Return the SQL that casts each column to its type."""
    return ", ".join(f"{quoted(name)}::{type} AS {quoted(name)}" for name, type in columns.items())


def _load_table(
    connection: duckdb.DuckDBPyConnection, staging: Staging, table: str, columns: dict[str, str]
) -> None:
    """Make a table from its staging file, part by part; it is empty without one."""
    _make_empty(connection, table, columns)
    types = ", ".join(f"{literal(column)}: {literal(type)}" for column, type in columns.items())
    try:
        for path in staging.files.get(table, ()):
            memory.run(
                connection,
                f"INSERT INTO raw.{table} FROM read_json($path, "
                f"format = 'newline_delimited', hive_partitioning = false, columns = {{{types}}})",
                {"path": glob.escape(str(path))},
            )
            path.unlink()
    except duckdb.Error as error:
        raise AuditError(f"the logs do not fit the tables of their events: {error}") from error


def make_empty(connection: duckdb.DuckDBPyConnection, game: str) -> None:
    """Make an empty table of a game's own events."""
    _make_empty(connection, game_table(game), _game_columns(game))


def _make_empty(
    connection: duckdb.DuckDBPyConnection, table: str, columns: Mapping[str, str]
) -> None:
    declared = ", ".join(f"{quoted(column)} {type}" for column, type in columns.items())
    connection.execute(f"CREATE TABLE raw.{table} ({declared})")


def _game_columns(game: str) -> dict[str, str]:
    """Return the columns of a game's own events."""
    return EVENT | union(models_of(registry.card(game)))
