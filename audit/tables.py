"""An in-memory DuckDB database over logs, its tables made from the games' event models."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from audit.columns import Columns, of_model, quoted, union
from audit.errors import AuditError
from audit.spool import COMMON, COMMON_MODELS, LOGS, UNREAD, Spool, Task, game_file, spool
from schema import folder, registry
from schema.mapper import Mapper, serial
from schema.place import Place
from schema.registry import Card

SQL = Path(str(files("audit"))) / "sql"
"""The SQL that all games share: macros, and in ``tables/`` the tables of the common events."""

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
}
UNREAD_COLUMNS = {"path": "VARCHAR", "verdict": "VARCHAR", "reason": "VARCHAR"}
LINE_BYTES = 16 << 20
"""Lines up to this size DuckDB takes by itself."""


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
    skipped: int | None = None
    """How many lines of evidence could not be read; None as long as no query wanted any."""

    @property
    def left_out(self) -> str:
        """How many files could not be read, in words; nothing if all could."""
        files = f"{self.unread} of {self.unread + self.logs} files"
        return f"{files} could not be read" if self.unread else ""

    def close(self) -> None:
        """Forget everything."""
        self.connection.close()
        self.folder.cleanup()

    def __exit__(self, *error: object) -> None:
        self.close()


def open_database(
    paths: Iterable[Path],
    *,
    current_only: bool = False,
    bare: bool = False,
    each: Mapper = serial,
) -> Database:
    """The logs at ``paths`` (files, and folders searched through) as tables.

    With ``current_only``, as the audit wants it, logs of older rules versions count as unread, and
    the tables of games without a log are left out. With ``bare`` these are left out too, and so
    are the views that the audit's rules share. ``each`` is what the logs are read with: one after
    the other, or one that works in several processes or shows progress.

    Raises UsageError and NothingToDo as :func:`schema.folder.logs` does.
    """
    found = folder.logs(paths)
    temporary = TemporaryDirectory(prefix="koth-")
    try:
        place = Path(temporary.name)
        tasks = (Task(number, path, current_only) for number, path in enumerate(found))
        done = spool(tasks, place, each)
        known = done.games if current_only or bare else done.games | set(registry.names())
        connection = _connect(place)
        cards = [registry.card(name) for name in sorted(known)]
        _make_tables(connection, done, cards)
        for card in () if bare else cards:
            run_scripts(connection, card.audit, "_*.sql")
    except BaseException:
        temporary.cleanup()
        raise
    games = tuple(sorted(done.games))
    return Database(connection, games, done.logs, done.unread, temporary, found)


def table_prefix(game: str) -> str:
    """What the names of a game's tables begin with."""
    return re.sub(r"\W", "_", game)


def models_of(card: Card) -> list[Columns]:
    """The event models of a game, of all its rules versions, each type once."""
    found: dict[str, Columns] = {}
    for version in card.versions.values():
        for model in map(of_model, version.event_models()):
            known = found.get(model.type, model)
            extra = tuple(column for column in model.columns if column not in known.columns)
            found[model.type] = Columns(model.type, known.description, known.columns + extra)
    return list(found.values())


def common_models() -> list[Columns]:
    """The event models that all games share."""
    return [of_model(model) for model in COMMON_MODELS]


def _connect(place: Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(
        config={
            "temp_directory": str(place / "spill"),
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "python_enable_replacements": "false",
        }
    )
    connection.execute("CREATE SCHEMA raw")
    return connection


def _make_tables(connection: duckdb.DuckDBPyConnection, done: Spool, cards: Sequence[Card]) -> None:
    run_scripts(connection, SQL)
    _load(connection, done, "logs", LOGS, LOGS_COLUMNS)
    _load(connection, done, "unread", UNREAD, UNREAD_COLUMNS)
    shared = common_models()
    _load(connection, done, "common", COMMON, LINE | union(shared))
    views = [_events_view("common", model) for model in shared]
    for card in cards:
        models = models_of(card)
        table = f"game_{table_prefix(card.name)}"
        _load(connection, done, table, game_file(card.name), LINE | _free(models))
        for model in models:
            _typed_view(connection, card, table, model)
            views.append(_events_view(table, model))
    connection.execute("CREATE VIEW events AS " + " UNION ALL ".join(views))
    carried = [_NOTHING_CARRIED, *(one for card in cards for one in _carried(card))]
    connection.execute("CREATE VIEW raw.carried AS " + " UNION ALL ".join(carried))
    run_scripts(connection, SQL / "tables")


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
    declared = ", ".join(f"{quoted(column)} {type}" for column, type in columns.items())
    path = done.file(name)
    if not path.exists():
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


def _typed_view(
    connection: duckdb.DuckDBPyConnection, card: Card, table: str, model: Columns
) -> None:
    """The table ``<game>_<type>`` of one event type."""
    columns = ", ".join(quoted(column.name) for column in model.columns)
    connection.execute(
        f"CREATE VIEW {quoted(f'{table_prefix(card.name)}_{model.type}')} AS "
        f"SELECT _log AS log, _match AS match, seq, {columns} "
        f"FROM raw.{quoted(table)} WHERE type = '{model.type}'"
    )


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
    table = quoted(f"game_{table_prefix(card.name)}")
    return [
        f"SELECT _log, _match, '{card.name}', seq, generate_subscripts({quoted(field)}, 1) - 1, "
        f"'{question}', unnest({quoted(field)})::VARCHAR FROM raw.{table} WHERE type = '{event}'"
        for question, event, field in sorted(carriers)
    ]


def _events_view(table: str, model: Columns) -> str:
    """The events of one type, each with itself as JSON; what it does not have is left out."""
    fields = ", ".join(
        f"{quoted(name)}: {quoted(name)}"
        for name in ("seq", "type", *(column.name for column in model.columns))
    )
    return (
        "SELECT _log AS log, _match AS match, _game AS game, seq, type, "
        f"json_merge_patch('{{}}', to_json({{{fields}}})) AS event "
        f"FROM raw.{quoted(table)} WHERE type = '{model.type}'"
    )
