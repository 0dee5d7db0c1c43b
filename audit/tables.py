"""A DuckDB database over logs, its tables made from the games' event models.

What the logs hold lies in the schema ``raw``; the tables that people see are made from that. Of a
bundle with its tables beside it only the tournament's own log is read (:mod:`audit.ready`), and of
many logs that were read before and have not changed since, none (:mod:`audit.cache`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from audit import bulk, cache, ready
from audit.bulk import InDoubt, bulk_types
from audit.columns import Columns, literal, quoted, union
from audit.errors import AuditError
from audit.models import SQL as SQL
from audit.models import common_models, models_of, table_prefix
from audit.ready import Ready
from audit.spool import COMMON, LOGS, UNREAD, Spool, Task, game_file, spool
from schema import folder, registry
from schema.errors import UsageError
from schema.mapper import Mapper, serial
from schema.place import Place, path_text
from schema.registry import Card

PLACE = {"_log": "BIGINT", "_game": "VARCHAR", "_match": "VARCHAR"}
"""What the spool puts in front of every event; no field of an event begins with an underscore."""

LINE = PLACE | {"seq": "BIGINT", "type": "VARCHAR"}

TAKEN = ("log", "match", "seq", "type")
"""Columns of every typed table, so no names for fields of a game's own events."""

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

MEMORY = "KOTH_MEMORY"
"""The environment variable that says how much memory DuckDB may take, such as ``8GiB``."""
MEMORY_LIMIT = "2GiB"
"""How much it takes otherwise; what does not fit goes to temporary files."""


@dataclass
class Database(AbstractContextManager["Database"]):
    """Logs as tables. Closing it (or leaving its ``with``) removes its temporary files."""

    connection: duckdb.DuckDBPyConnection
    games: tuple[str, ...]
    """The games of the logs that were read, sorted."""
    logs: int
    """How many logs were read."""
    unread: int
    """How many files could not be read; the table ``unread`` has them."""
    folder: TemporaryDirectory[str]
    """Its temporary files."""
    places: Sequence[Place]
    """Where the logs lie, by their numbers."""
    bulk: Mapping[tuple[str, str], Path]
    """Parquet files with bulk events, by game and type."""
    files: Sequence[Path]
    """The Parquet files that the tables are read from, those of archives too."""
    absent: list[str] = field(default_factory=list)
    """The other games, whose tables are empty and still to be made."""
    skipped: int | None = None
    """How many lines of evidence could not be read; None as long as no query wanted any."""

    @property
    def left_out(self) -> str:
        """How many files could not be read, in words; nothing if all could."""
        files = f"{self.unread} of {self.unread + self.logs} files"
        return f"{files} could not be read" if self.unread else ""

    def add(self, games: Iterable[str]) -> None:
        """Make the tables of these games, as far as they are ``absent``."""
        for game in set(self.absent).intersection(games):
            self.absent.remove(game)
            card = registry.card(game)
            _make_game(self.connection, card)
            run_scripts(self.connection, card.audit, "_*.sql")

    def close(self) -> None:
        """Forget everything."""
        self.connection.close()
        self.folder.cleanup()

    def __exit__(self, *error: object) -> None:
        self.close()


@dataclass(frozen=True)
class BulkTables:
    """How the Parquet files of bulk events are written."""

    options: str = "COMPRESSION snappy"
    """Of COPY."""
    head: str = ""
    """Columns that come first, each with a comma behind."""


@dataclass(frozen=True)
class Raw:
    """What was read of logs: tables in the schema ``raw``, and files with bulk events."""

    games: Set[str]
    bulk: Mapping[tuple[str, str], Path]
    """Parquet files, by game and type."""
    files: Sequence[Path] = ()
    """The Parquet files that the tables are views of, if they are."""


def open_database(
    paths: Iterable[Path],
    *,
    current_only: bool = False,
    bare: bool = False,
    from_archives: bool = True,
    bulk_tables: BulkTables = BulkTables(),
    each: Mapper = serial,
) -> Database:
    """The logs at ``paths`` (files, and folders searched through) as tables.

    With ``current_only``, as the audit wants it, logs of older rules versions count as unread, and
    the tables of games without a log are left out. With ``bare`` these are left out too, and so
    are the views that the audit's rules share. Else ``absent`` names them. Unless
    ``from_archives``, neither the tables beside bundles nor the cache are used. ``each`` is what
    the logs are read with: one after the other, or one that works in several processes or shows
    progress.

    Raises UsageError and NothingToDo as :func:`schema.folder.logs` does.
    """
    found = folder.logs(paths)

    def attempt(is_bulk: bool) -> Database:
        temporary = TemporaryDirectory(prefix="koth-")
        try:
            connection = _connect(Path(temporary.name))
            readies = (
                list(ready.find(connection, found, current_only=current_only))
                if from_archives
                else []
            )
            tasks = [
                Task(number, path, current_only, is_bulk)
                for number, path in _to_read(found, readies)
            ]
            place = Path(temporary.name)
            key = cache.key(tasks, bulk_tables) if from_archives else None
            raw = _read_again(connection, place, key) if key else None
            if raw is None:
                raw = _read(connection, place, tasks, bulk_tables, each)
                if key and key == cache.key(tasks, bulk_tables):
                    _keep(connection, place, key, raw)
            _add_ready(connection, readies)
            games = {*raw.games, *(game for one in readies for game in one.games)}
            cards = [registry.card(name) for name in sorted(games)]
            _make_tables(connection, raw, readies, cards)
            for card in () if bare else cards:
                run_scripts(connection, card.audit, "_*.sql")
            [(logs, unread)] = connection.execute(
                "SELECT (SELECT count(*) FROM raw.logs), (SELECT count(*) FROM raw.unread)"
            ).fetchall()
            return Database(
                connection=connection,
                games=tuple(sorted(games)),
                logs=logs,
                unread=unread,
                folder=temporary,
                places=found,
                bulk=raw.bulk,
                files=[*raw.bulk.values(), *raw.files, *ready.files_of(readies)],
                absent=[] if current_only or bare else sorted({*registry.names()} - games),
            )
        except BaseException:
            temporary.cleanup()
            raise

    try:
        return attempt(True)
    except InDoubt:
        return attempt(False)


def _to_read(found: Sequence[Place], readies: Iterable[Ready]) -> Iterable[tuple[int, Place]]:
    """What has to be read, with its number: all but the matches of ready bundles."""
    there = {number for one in readies for number in one.matches}
    return ((number, path) for number, path in enumerate(found) if number not in there)


def _connect(place: Path) -> duckdb.DuckDBPyConnection:
    limit = os.environ.get(MEMORY, MEMORY_LIMIT)
    try:
        connection = duckdb.connect(
            config={
                "temp_directory": str(place / "spill"),
                "memory_limit": limit,
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
                "python_enable_replacements": "false",
            }
        )
    except duckdb.Error:
        raise UsageError(f"{MEMORY}: expected a size such as 8GiB, found {limit!r}.") from None
    connection.execute("CREATE SCHEMA raw")
    return connection


def _read(
    connection: duckdb.DuckDBPyConnection,
    place: Path,
    tasks: Iterable[Task],
    bulk_tables: BulkTables,
    each: Mapper,
) -> Raw:
    """Read logs strictly into the tables of the schema ``raw``. Raises InDoubt."""
    done = spool(tasks, place, each)
    for table, (name, columns) in _raw_tables(done.games).items():
        _load(connection, done, table, name, columns)
    return Raw(done.games, _write_bulk(connection, done, bulk_tables))


def _raw_tables(games: Iterable[str]) -> dict[str, tuple[str, dict[str, str]]]:
    """The tables of logs of these games: the spool file of each, and its columns."""
    shared = {
        "logs": (LOGS, LOGS_COLUMNS),
        "unread": (UNREAD, UNREAD_COLUMNS),
        "spooled": (COMMON, LINE | union(common_models())),
    }
    return shared | {
        _raw_table(game): (game_file(game), LINE | _free(models_of(registry.card(game))))
        for game in sorted(games)
    }


def _raw_table(game: str) -> str:
    """The name of the table of a game's own events."""
    return f"game_{table_prefix(game)}"


def _read_again(connection: duckdb.DuckDBPyConnection, place: Path, key: str) -> Raw | None:
    """What was kept of logs that were read before; None if nothing was."""
    kept = place / "kept"
    if not cache.fetch(key, kept):
        return None
    rows = connection.execute(
        f"SELECT DISTINCT _game FROM read_parquet({ready.listed([kept / 'logs.parquet'])})"
    ).fetchall()
    games = {game for (game,) in rows}
    tables = _raw_tables(games)
    paths = {table: kept / f"{table}.parquet" for table in tables}
    for table, (_, columns) in tables.items():
        kind = "TABLE" if table in ("logs", "unread") else "VIEW"  # archives add to these tables
        connection.execute(
            f"CREATE {kind} raw.{quoted(table)} AS SELECT {_typed(columns)} "
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


def _add_ready(connection: duckdb.DuckDBPyConnection, readies: Iterable[Ready]) -> None:
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


def _make_tables(
    connection: duckdb.DuckDBPyConnection,
    raw: Raw,
    readies: Sequence[Ready],
    cards: Sequence[Card],
) -> None:
    run_scripts(connection, SQL)
    shared = common_models()
    _make_common(connection, readies, LINE | union(shared))
    views = [_events_view("raw.common", "_log AS log, _match AS match, _game", m) for m in shared]
    for card in cards:
        _make_game(connection, card, raw, readies)
        views += [
            _events_view(_name(card, model), f"log, match, {literal(card.name)}", model)
            for model in models_of(card)
        ]
    connection.execute("CREATE VIEW events AS " + " UNION ALL ".join(views))
    carried = [_NOTHING_CARRIED, *(one for card in cards for one in _carried(card))]
    connection.execute("CREATE VIEW raw.carried AS " + " UNION ALL ".join(carried))
    run_scripts(connection, SQL / "tables")


def _make_common(
    connection: duckdb.DuckDBPyConnection, readies: Sequence[Ready], columns: Mapping[str, str]
) -> None:
    """The events that all games share: those in logs that were read, and those that are ready."""
    rows = " UNION ALL BY NAME ".join(["FROM raw.spooled", *ready.common(readies)])
    connection.execute(f"CREATE VIEW raw.common AS SELECT {_typed(columns)} FROM ({rows})")


def _typed(columns: Mapping[str, str]) -> str:
    """The columns, each of its type."""
    return ", ".join(f"{quoted(name)}::{type} AS {quoted(name)}" for name, type in columns.items())


def _make_game(
    connection: duckdb.DuckDBPyConnection,
    card: Card,
    raw: Raw | None = None,
    readies: Sequence[Ready] = (),
) -> None:
    """The tables ``<game>_<type>`` of a game's own events; empty ones of a game without a log."""
    models = models_of(card)
    table = _raw_table(card.name)
    if not raw or card.name not in raw.games:
        _make_empty(connection, table, LINE | _free(models))
    for model in models:
        columns = ", ".join(quoted(column.name) for column in model.columns)
        rows = [
            f"SELECT _log AS log, _match AS match, seq, {columns} "
            f"FROM raw.{quoted(table)} WHERE type = {literal(model.type)}",
            *ready.typed(readies, card.name, model),
        ]
        if raw and (path := raw.bulk.get((card.name, model.type))):
            file = ready.listed([path])
            rows.append(f"SELECT log, match, seq, {columns} FROM read_parquet({file})")
        connection.execute(f"CREATE VIEW {_name(card, model)} AS " + " UNION ALL ".join(rows))


def _name(card: Card, model: Columns) -> str:
    """The name of the table of one event type."""
    return quoted(f"{table_prefix(card.name)}_{model.type}")


def run_scripts(connection: duckdb.DuckDBPyConnection, place: Path, pattern: str = "*.sql") -> None:
    """Run the SQL files of a folder in order of their names; AuditError tells of a bad one."""
    for path in sorted(place.glob(pattern)):
        try:
            connection.execute(path.read_text())
        except duckdb.Error as error:
            raise AuditError(f"{path}: this SQL does not run: {error}") from error


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


def _make_empty(
    connection: duckdb.DuckDBPyConnection, table: str, columns: Mapping[str, str]
) -> None:
    declared = ", ".join(f"{quoted(column)} {type}" for column, type in columns.items())
    connection.execute(f"CREATE TABLE raw.{quoted(table)} ({declared})")


def _free(models: Sequence[Columns]) -> dict[str, str]:
    """The columns of a game's own events, none of which hides one that every table has."""
    columns = union(models)
    if wrong := [name for name in columns if name in TAKEN or name.startswith("_")]:
        raise AuditError(
            f"an event has a field '{wrong[0]}'. Give it another name: every table has a column "
            f"{', '.join(TAKEN)}, and names with '_' in front are taken"
        )
    return columns


_NOTHING_CARRIED = (
    "SELECT NULL::BIGINT AS log, NULL::VARCHAR AS match, NULL::VARCHAR AS game, "
    "NULL::BIGINT AS seq, NULL::BIGINT AS seat, NULL::VARCHAR AS ask, NULL::VARCHAR AS output "
    "WHERE false"
)


def _carried(card: Card) -> list[str]:
    """The answers to each question whose answers one event holds for all seats, a row a seat."""
    carriers = {
        (question, carrier.event, carrier.field)
        for version in card.versions.values()
        for question, carrier in version.carriers.items()
    }
    prefix = table_prefix(card.name)
    return [
        f"SELECT log, match, '{card.name}', seq, generate_subscripts({quoted(field)}, 1) - 1, "
        f"'{question}', unnest({quoted(field)})::VARCHAR FROM {quoted(f'{prefix}_{event}')}"
        for question, event, field in sorted(carriers)
    ]


def _events_view(table: str, place: str, model: Columns) -> str:
    """The events of one type, each with itself as JSON; what it does not have is left out.

    ``place`` are the columns log, match and game.
    """
    fields = ", ".join(
        [f"seq: seq, type: {literal(model.type)}"]
        + [f"{quoted(column.name)}: {quoted(column.name)}" for column in model.columns]
    )
    where = f" WHERE type = {literal(model.type)}" if table == "raw.common" else ""
    return (
        f"SELECT {place} AS game, seq, {literal(model.type)} AS type, "
        f"json_merge_patch('{{}}', to_json({{{fields}}})) AS event FROM {table}{where}"
    )
