"""A DuckDB database over logs, with tables made from the event models of the games.

The schema ``raw`` holds the loaded logs (:mod:`audit.loading.load`). The tables for users are made
of it: those of one event type at once, the shared ones (``events`` and ``sql/tables``) when a query
names them, because each takes milliseconds. If valid Parquet files are beside a bundle, only its
tournament's own log is read from the bundle (:mod:`audit.loading.parquet`). Of the events that all
games share, ``raw.staged`` has those that were read from logs, as those of tournaments and contests
always are, and ``raw.common`` has all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from audit import memory, views
from audit.loading import load, parquet
from audit.loading.columns import Columns, literal, quoted
from audit.loading.load import TEMPORARY, BulkTables, RawTables
from audit.loading.models import SQL, common_models, models_of
from audit.loading.parquet import ParquetBundle
from audit.loading.strict import ReadTask, game_table
from audit.sql_files import run_scripts
from schema import discovery, registry
from schema.card import Card
from schema.executor import Mapper, serial
from schema.log_path import path_text
from schema.logs import Logs
from schema.system_errors import FULL

SOURCE = re.compile(r"\b(?:FROM|JOIN) (\w+)")
"""A table from which the SQL of a shared table reads."""

TOURNAMENTS = f"""
    CREATE VIEW raw.tournaments AS
    SELECT
        folder,
        arg_min(_log, (parse_filename(path) <> {literal(discovery.TOURNAMENT)}, _log))
            AS tournament_log
    FROM raw.logs WHERE kind = 'tournament' GROUP BY folder
"""
"""The log of the tournament in each folder: that of the usual name, or else the first one."""

COPIES = """
    SELECT min(_log), max(_log) FROM raw.common WHERE type = 'match_sealed'
    GROUP BY sha256 HAVING count(*) > 1 ORDER BY ALL
"""
"""The first and the last log of each match that has several with the same seal."""


@dataclass
class Database(AbstractContextManager["Database"]):
    """Logs as tables. ``close``, or the end of a ``with``, removes its temporary files."""

    connection: duckdb.DuckDBPyConnection
    games: tuple[str, ...]
    """The games of the logs that were read, sorted."""
    logs: int
    """Number of logs that were read."""
    unread: int
    """Number of files that could not be read; the table ``unread`` lists them."""
    folder: TemporaryDirectory[str]
    """The folder of its temporary files."""
    log_paths: Logs
    """The paths of the logs, by their numbers."""
    bulk_files: Mapping[tuple[str, str], Path]
    """Parquet files with bulk events, by game and event type."""
    parts: Sequence[int]
    """Numbers of logs that cut a database on disk into parts of similar size, in order."""
    files: Sequence[Path]
    """All Parquet files that the tables are read from, of archives too."""
    bundles: Sequence[ParquetBundle] = ()
    """The bundles whose matches are read from Parquet files."""
    rejected: Sequence[str] = ()
    """One sentence for each bundle whose Parquet files are not read, with the reason."""
    pending: list[str] = field(default_factory=list)
    """Games without a log, whose empty tables do not exist yet."""
    view_games: list[str] = field(default_factory=list)
    """Games whose shared views a query may use; none if the database is bare."""
    shared: dict[str, str] = field(default_factory=dict)
    """The SQL of the shared tables that do not exist yet, by name."""
    ranks: bool = False
    """Whether the macros of leaderboards exist."""
    skipped: int | None = None
    """Number of evidence lines that could not be read; None if no query has read evidence."""

    @property
    def unread_summary(self) -> str:
        """The number of files that could not be read, as text; empty if all were read."""
        files = f"{self.unread} of {self.unread + self.logs} files"
        return f"{files} could not be read" if self.unread else ""

    @property
    def copies_summary(self) -> str:
        """A sentence about matches with several equal logs; empty if there are none."""
        with parquet.naming_damage(self.connection, self.bundles):
            copies = memory.run(self.connection, COPIES)[1]
        if not copies:
            return ""
        first, second = (path_text(self.log_paths[number]) for number in copies[0])
        are = "match is" if len(copies) == 1 else "matches are"
        return f"{len(copies):,} {are} there more than once, such as {first} and {second}"

    @property
    def rejected_notes(self) -> list[str]:
        """Sentences about the bundles whose Parquet files are not read."""
        remedy = "The bundle was read; `koth pack -o ARCHIVE` makes its Parquet files again."
        return [f"{reason}. {remedy}" for reason in self.rejected]

    @property
    def skipped_summary(self) -> str:
        """A sentence about evidence that could not be read; empty if there is none.

        Evidence is read when a query first names it.
        """
        sentence = f"lines of evidence that could not be read: {self.skipped}. They are left out."
        return sentence if self.skipped else ""

    def execute(self, sql: str, parameters: object = None) -> duckdb.DuckDBPyConnection:
        """Run SQL after making the shared tables that it names. Raises duckdb.Error."""
        self.make_named(sql)
        return self.connection.execute(sql, parameters)

    def rows(self, sql: str, parameters: object = None) -> memory.Rows:
        """Return the rows of a query, which may need more memory than most.

        Raises duckdb.Error, and Shortage if memory or disk space is short.
        """
        return memory.run(self, sql, parameters)[1]

    def interrupt(self) -> None:
        """Stop the statement that runs in another thread."""
        self.connection.interrupt()

    def make_named(self, sql: str) -> None:
        """Make the shared tables whose names are words of ``sql``, if they do not exist yet."""
        self._make_shared(set(self.shared).intersection(re.findall(r"\w+", sql.lower())))

    def _make_shared(self, names: Iterable[str]) -> None:
        """Make shared tables, each after its sources."""
        for name in names:
            if name in self.shared:
                self._make_shared(SOURCE.findall(self.shared[name]))
                with parquet.naming_damage(self.connection, self.bundles):
                    memory.run(self.connection, self.shared[name])
                del self.shared[name]

    def make_tables(self, games: Iterable[str]) -> None:
        """Make the empty tables of these games if they are ``pending``."""
        for game in set(self.pending).intersection(games):
            self.pending.remove(game)
            self.view_games.append(game)
            _make_game(self.connection, registry.card(game))

    def make_all(self) -> None:
        """Make all tables and shared views that do not exist yet."""
        self.make_tables(list(self.pending))
        self.make_views()

    def make_views(self) -> None:
        """Make the shared tables and views that do not exist yet. Raises AuditError."""
        self._make_shared(list(self.shared))
        for game in self.view_games:
            views.make(self, registry.card(game))

    def close(self) -> None:
        """Close the connection and delete the temporary files."""
        self.connection.close()
        self.folder.cleanup()

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Close the database.

        Raises AuditError if the tables beside a bundle caused the error, or a lack of memory.
        """
        try:
            memory.raise_shortage(error)
            if isinstance(error, duckdb.Error) and self.bundles:
                raise parquet.damaged(self.connection, self.bundles, error) from error
        finally:
            self.close()


def open_database(
    paths: Iterable[Path],
    *,
    current_only: bool = False,
    bare: bool = False,
    from_archives: bool = True,
    bulk_tables: BulkTables = TEMPORARY,
    on_disk: bool = False,
    mapper: Mapper = serial,
    logs: Logs | None = None,
) -> Database:
    """Open the logs at ``paths`` (files, and all logs in folders) as tables.

    ``mapper`` reads the logs, for example in several processes. ``logs`` are the logs at ``paths``,
    if they are known. The modes:

    - ``current_only`` (for the audit): logs of older rules versions count as unread, and games
      without a log have no tables.
    - ``bare``: games without a log have no tables, and the audit's shared views are missing.
    - ``from_archives``, without ``current_only``: a bundle's matches are read from its Parquet
      files if these are valid.
    - ``on_disk``: the tables are in a temporary file, and take little memory, slowly.

    Raises UsageError and NothingToDo as :func:`schema.discovery.logs` does.
    """
    log_paths = discovery.logs(paths) if logs is None else logs
    temporary = TemporaryDirectory(prefix="koth-")
    folder = Path(temporary.name)
    try:
        connection = memory.connect(folder, on_disk)
        search = parquet.ParquetSearch()
        if from_archives and not current_only:
            search = parquet.find(connection, log_paths, folder)
        bundles = search.bundles
        tasks = _read_tasks(log_paths, bundles, current_only)
        raw = load.load_logs(connection, folder, tasks, bulk_tables, mapper)
        load.add_parquet_bundles(connection, bundles)
        games = sorted({*raw.games, *(game for bundle in bundles for game in bundle.games)})
        cards = [registry.card(name) for name in games]
        with parquet.naming_damage(connection, bundles):
            shared = _make_tables(connection, raw, bundles, cards)
        [(read, unread)] = connection.execute(
            "SELECT (SELECT count(*) FROM raw.logs), (SELECT count(*) FROM raw.unread)"
        ).fetchall()
        return Database(
            connection=connection,
            games=tuple(games),
            logs=read,
            unread=unread,
            folder=temporary,
            log_paths=log_paths,
            bulk_files=raw.bulk,
            parts=raw.parts if on_disk else (),
            files=[*raw.bulk.values(), *parquet.files_of(bundles)],
            bundles=bundles,
            rejected=search.rejected,
            pending=[] if current_only or bare else _games_except(games),
            view_games=[] if bare else games,
            shared=shared,
        )
    except BaseException as error:
        temporary.cleanup()
        memory.raise_shortage(error)
        if isinstance(error, OSError) and error.errno in FULL:  # all files are written in folder
            message = f"{path_text(folder.parent)}: {error.strerror}. {memory.DISK}."
            raise memory.Shortage(message) from error
        raise


def _games_except(games: Sequence[str]) -> list[str]:
    return [card.name for card in registry.cards()[0] if card.name not in games]


def _read_tasks(logs: Logs, bundles: Iterable[ParquetBundle], current_only: bool) -> list[ReadTask]:
    """Return a task for each log that is not read from a Parquet file."""
    in_parquet = {number for bundle in bundles for number in bundle.matches}
    base = Path.cwd()
    return [
        ReadTask(number, logs[number], current_only, base)
        for number in range(len(logs))
        if number not in in_parquet
    ]


def _make_tables(
    connection: duckdb.DuckDBPyConnection,
    raw: RawTables,
    bundles: Sequence[ParquetBundle],
    cards: Sequence[Card],
) -> dict[str, str]:
    """Make the tables of single event types; return the SQL of the shared tables by name."""
    run_scripts(connection, SQL)
    connection.execute(TOURNAMENTS)
    _make_common(connection, bundles)
    events = [
        _events_view(_common(model.type), "_log AS log, _match AS match, _game", model)
        for model in common_models()
    ]
    for card in cards:
        _make_game(connection, card, raw, bundles)
        events += [
            _events_view(_name(card, model), f"log, match, {literal(card.name)}", model)
            for model in models_of(card)
        ]
    joint = [_NO_JOINT_ANSWERS, *(query for card in cards for query in _joint_answers(card))]
    connection.execute("CREATE VIEW raw.joint_answers AS " + " UNION ALL ".join(joint))
    files = {path.stem: path.read_text(encoding="utf-8") for path in (SQL / "tables").glob("*.sql")}
    return {"events": "CREATE VIEW events AS " + " UNION ALL ".join(events)} | files


def _common(type: str) -> str:
    """Return the SQL for the rows of an event type that all games share."""
    table = "raw.common" if type in parquet.TYPES else "raw.staged"
    return f"{table} WHERE type = {literal(type)}"


def _make_common(connection: duckdb.DuckDBPyConnection, bundles: Sequence[ParquetBundle]) -> None:
    """Make the events that all games share: the staged ones, and those in Parquet files."""
    if not bundles:
        connection.execute("CREATE VIEW raw.common AS FROM raw.staged")
        return
    rows = " UNION ALL BY NAME ".join(["FROM raw.staged", *parquet.common(bundles)])
    connection.execute(
        f"CREATE VIEW raw.common AS SELECT {load.typed(load.shared_columns())} FROM ({rows})"
    )


def _make_game(
    connection: duckdb.DuckDBPyConnection,
    card: Card,
    raw: RawTables | None = None,
    bundles: Sequence[ParquetBundle] = (),
) -> None:
    """Make the tables ``<game>_<type>`` of a game's own events; empty ones if it has no log."""
    models = models_of(card)
    if not raw or card.name not in raw.games:
        load.make_empty(connection, card.name)
    for model in models:
        columns = ", ".join(quoted(column.name) for column in model.columns)
        rows = [
            f"SELECT _log AS log, _match AS match, seq, {columns} "
            f"FROM raw.{game_table(card.name)} WHERE type = {literal(model.type)}",
            *parquet.typed(bundles, card.name, model),
        ]
        if raw and (path := raw.bulk.get((card.name, model.type))):
            rows.append(f"SELECT log, match, seq, {columns} FROM {parquet.rows_of([path])}")
        connection.execute(f"CREATE VIEW {_name(card, model)} AS " + " UNION ALL ".join(rows))


def _name(card: Card, model: Columns) -> str:
    """Return the quoted name of the table of one event type."""
    return quoted(f"{card.name}_{model.type}")


_NO_JOINT_ANSWERS = (
    "SELECT NULL::BIGINT AS log, NULL::VARCHAR AS match, NULL::VARCHAR AS game, "
    "NULL::BIGINT AS seq, NULL::BIGINT AS seat, NULL::VARCHAR AS ask, NULL::VARCHAR AS output "
    "WHERE false"
)


def _joint_answers(card: Card) -> list[str]:
    """Return queries for answers that one event holds for all seats: one row per seat."""
    carriers = {
        (question, carrier.event, carrier.field)
        for version in card.versions.values()
        for question, carrier in version.carriers.items()
    }
    return [
        f"SELECT log, match, '{card.name}', seq, generate_subscripts({quoted(field)}, 1) - 1, "
        f"'{question}', unnest({quoted(field)})::VARCHAR FROM {quoted(f'{card.name}_{event}')}"
        for question, event, field in sorted(carriers)
    ]


def _events_view(rows: str, origin: str, model: Columns) -> str:
    """Return the query for the events of one type, each as JSON without its missing fields.

    ``rows`` is the SQL for their rows, ``origin`` that for the columns log, match and game.
    """
    fields = ", ".join(
        [f"seq: seq, type: {literal(model.type)}"]
        + [f"{quoted(column.name)}: {quoted(column.name)}" for column in model.columns]
    )
    return (
        f"SELECT {origin} AS game, seq, {literal(model.type)} AS type, "
        f"json_merge_patch('{{}}', to_json({{{fields}}})) AS event FROM {rows}"
    )
