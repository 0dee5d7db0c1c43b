"""A DuckDB database over logs, its tables made from the games' event models.

What the logs hold lies in the schema ``raw``; the tables that people see are made from that. Of a
bundle with its tables beside it only the tournament's own log is read (:mod:`audit.ready`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from audit import bulk, ready
from audit.bulk import InDoubt
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
    ``from_archives``, the tables beside bundles are not used. ``each`` is what the logs are read
    with: one after the other, or one that works in several processes or shows progress.

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
            tasks = (
                Task(number, path, current_only, is_bulk)
                for number, path in _to_read(found, readies)
            )
            done = spool(tasks, Path(temporary.name), each)
            _load_logs(connection, done, readies)
            files = _write_bulk(connection, done, bulk_tables)
            games = {*done.games, *(game for one in readies for game in one.games)}
            cards = [registry.card(name) for name in sorted(games)]
            _make_tables(connection, done, readies, files, cards)
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
                bulk=files,
                files=[*files.values(), *ready.files_of(readies)],
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


def _load_logs(
    connection: duckdb.DuckDBPyConnection, done: Spool, readies: Iterable[Ready]
) -> None:
    """What is known of the logs, and of the files that could not be read."""
    _load(connection, done, "logs", LOGS, LOGS_COLUMNS)
    _load(connection, done, "unread", UNREAD, UNREAD_COLUMNS)
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
    done: Spool,
    readies: Sequence[Ready],
    files: Mapping[tuple[str, str], Path],
    cards: Sequence[Card],
) -> None:
    run_scripts(connection, SQL)
    shared = common_models()
    _load(connection, done, "spooled", COMMON, LINE | union(shared))
    _make_common(connection, readies, LINE | union(shared))
    views = [_events_view("raw.common", "_log AS log, _match AS match, _game", m) for m in shared]
    for card in cards:
        _make_game(connection, card, done, readies, files)
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
    typed = ", ".join(f"{quoted(name)}::{type} AS {quoted(name)}" for name, type in columns.items())
    connection.execute(f"CREATE VIEW raw.common AS SELECT {typed} FROM ({rows})")


def _make_game(
    connection: duckdb.DuckDBPyConnection,
    card: Card,
    done: Spool | None = None,
    readies: Sequence[Ready] = (),
    files: Mapping[tuple[str, str], Path] | None = None,
) -> None:
    """The tables ``<game>_<type>`` of a game's own events; empty ones of a game without a log."""
    models = models_of(card)
    table = f"game_{table_prefix(card.name)}"
    _load(connection, done, table, game_file(card.name), LINE | _free(models))
    for model in models:
        columns = ", ".join(quoted(column.name) for column in model.columns)
        rows = [
            f"SELECT _log AS log, _match AS match, seq, {columns} "
            f"FROM raw.{quoted(table)} WHERE type = {literal(model.type)}",
            *ready.typed(readies, card.name, model),
        ]
        if path := (files or {}).get((card.name, model.type)):
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
    done: Spool | None,
    table: str,
    name: str,
    columns: dict[str, str],
) -> None:
    """The table ``raw.<table>`` with the lines of a spool file; empty when there is none."""
    declared = ", ".join(f"{quoted(column)} {type}" for column, type in columns.items())
    path = done and done.file(name)
    if not done or not path or not path.exists():
        connection.execute(f"CREATE TABLE raw.{quoted(table)} ({declared})")
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
