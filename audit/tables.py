"""A DuckDB database over logs, its tables made from the games' event models.

What the logs hold lies in the schema ``raw`` (:mod:`audit.loading.load`); the tables that people
see are made from that. Of a bundle with its tables beside it only the tournament's own log is read
(:mod:`audit.loading.parquet`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from audit import views
from audit.errors import AuditError
from audit.loading import load, parquet
from audit.loading.columns import Columns, literal, quoted
from audit.loading.load import TEMPORARY, BulkTables, Raw
from audit.loading.models import SQL as SQL
from audit.loading.models import common_models, models_of, table_prefix
from audit.loading.parquet import Ready
from audit.loading.strict import Task
from audit.sql_files import run_scripts
from schema import discovery, registry
from schema.errors import UsageError
from schema.executor import Mapper, serial
from schema.log_path import LogPath
from schema.registry import Card

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
    places: Sequence[LogPath]
    """Where the logs lie, by their numbers."""
    bulk: Mapping[tuple[str, str], Path]
    """Parquet files with bulk events, by game and type."""
    files: Sequence[Path]
    """The Parquet files that the tables are read from, those of archives too."""
    passed_over: Sequence[str] = ()
    """Why the Parquet files of a bundle are not read, one sentence for each such bundle."""
    absent: list[str] = field(default_factory=list)
    """The other games, whose tables are empty and still to be made."""
    skipped: int | None = None
    """How many lines of evidence could not be read; None as long as no query wanted any."""

    @property
    def left_out(self) -> str:
        """How many files could not be read, in words; nothing if all could."""
        files = f"{self.unread} of {self.unread + self.logs} files"
        return f"{files} could not be read" if self.unread else ""

    @property
    def bundles_read(self) -> str:
        """Which bundles were read although Parquet files are beside them, as lines for people."""
        remedy = "The bundle was read; `koth pack -o ARCHIVE` makes its Parquet files again."
        return "".join(f"koth: {reason}. {remedy}\n" for reason in self.passed_over)

    def add(self, games: Iterable[str]) -> None:
        """Make the tables of these games, as far as they are ``absent``."""
        for game in set(self.absent).intersection(games):
            self.absent.remove(game)
            card = registry.card(game)
            _make_game(self.connection, card)
            views.make(self.connection, card)

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
    from_archives: bool = True,
    bulk_tables: BulkTables = TEMPORARY,
    each: Mapper = serial,
) -> Database:
    """The logs at ``paths`` (files, and folders searched through) as tables.

    With ``current_only``, as the audit needs it, every log is read, logs of older rules versions
    count as unread, and the tables of games without a log are left out. With ``bare`` these are
    left out too, and so are the views that the audit's rules share. Else ``absent`` names them.
    With ``from_archives``, and not for the audit, Parquet files that a bundle vouches for are read
    in place of its matches. ``each`` is what the logs are read with: one after the other, or one
    that works in several processes or shows progress.

    Raises UsageError and NothingToDo as :func:`schema.discovery.logs` does.
    """
    found = discovery.logs(paths)
    temporary = TemporaryDirectory(prefix="koth-")
    place = Path(temporary.name)
    try:
        connection = _connect(place)
        search = parquet.Search()
        if from_archives and not current_only:
            search = parquet.find(connection, found, place)
        readies = search.ready
        tasks = _to_read(found, readies, current_only)
        logs = load.read(connection, place, tasks, bulk_tables, each)
        load.add_ready(connection, readies)
        games = sorted({*logs.games, *(game for one in readies for game in one.games)})
        cards = [registry.card(name) for name in games]
        _make_tables(connection, logs, readies, cards)
        for card in () if bare else cards:
            views.make(connection, card)
        [(read, unread)] = connection.execute(
            "SELECT (SELECT count(*) FROM raw.logs), (SELECT count(*) FROM raw.unread)"
        ).fetchall()
        return Database(
            connection=connection,
            games=tuple(games),
            logs=read,
            unread=unread,
            folder=temporary,
            places=found,
            bulk=logs.bulk,
            files=[*logs.bulk.values(), *parquet.files_of(readies)],
            passed_over=search.passed_over,
            absent=[] if current_only or bare else _absent(games),
        )
    except BaseException:
        temporary.cleanup()
        raise


def _absent(games: Sequence[str]) -> list[str]:
    """The games, other than these, of which there could be logs."""
    return [card.name for card in registry.cards()[0] if card.name not in games]


def _to_read(found: Sequence[LogPath], readies: Iterable[Ready], current_only: bool) -> list[Task]:
    """What has to be read: all but the matches of ready bundles."""
    there = {number for one in readies for number in one.matches}
    return [
        Task(number, path, current_only) for number, path in enumerate(found) if number not in there
    ]


def _connect(place: Path) -> duckdb.DuckDBPyConnection:
    limit = os.environ.get(MEMORY, MEMORY_LIMIT)
    try:
        return duckdb.connect(
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


def _make_tables(
    connection: duckdb.DuckDBPyConnection,
    logs: Raw,
    readies: Sequence[Ready],
    cards: Sequence[Card],
) -> None:
    run_scripts(connection, SQL)
    shared = common_models()
    _make_common(connection, readies)
    events = [_events_view("raw.common", "_log AS log, _match AS match, _game", m) for m in shared]
    for card in cards:
        _make_game(connection, card, logs, readies)
        events += [
            _events_view(_name(card, model), f"log, match, {literal(card.name)}", model)
            for model in models_of(card)
        ]
    connection.execute("CREATE VIEW events AS " + " UNION ALL ".join(events))
    carried = [_NOTHING_CARRIED, *(one for card in cards for one in _carried(card))]
    connection.execute("CREATE VIEW raw.carried AS " + " UNION ALL ".join(carried))
    run_scripts(connection, SQL / "tables")


def _make_common(connection: duckdb.DuckDBPyConnection, readies: Sequence[Ready]) -> None:
    """The events that all games share: those in logs that were read, and those that are ready."""
    rows = " UNION ALL BY NAME ".join(["FROM raw.spooled", *parquet.common(readies)])
    connection.execute(
        f"CREATE VIEW raw.common AS SELECT {load.typed(load.shared())} FROM ({rows})"
    )


def _make_game(
    connection: duckdb.DuckDBPyConnection,
    card: Card,
    logs: Raw | None = None,
    readies: Sequence[Ready] = (),
) -> None:
    """The tables ``<game>_<type>`` of a game's own events; empty ones of a game without a log."""
    models = models_of(card)
    if not logs or card.name not in logs.games:
        load.make_empty(connection, card.name)
    for model in models:
        columns = ", ".join(quoted(column.name) for column in model.columns)
        rows = [
            f"SELECT _log AS log, _match AS match, seq, {columns} "
            f"FROM {load.table(card.name)} WHERE type = {literal(model.type)}",
            *parquet.typed(readies, card.name, model),
        ]
        if logs and (path := logs.bulk.get((card.name, model.type))):
            file = parquet.listed([path])
            rows.append(f"SELECT log, match, seq, {columns} FROM read_parquet({file})")
        try:
            connection.execute(f"CREATE VIEW {_name(card, model)} AS " + " UNION ALL ".join(rows))
        except duckdb.Error as error:  # as when another game has a table of this name
            told = f"the table of its event {model.type} cannot be made: {error}"
            raise AuditError(f"the game {card.name} of '{card.package}': {told}") from error


def _name(card: Card, model: Columns) -> str:
    """The name of the table of one event type."""
    return quoted(f"{table_prefix(card.name)}_{model.type}")


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
