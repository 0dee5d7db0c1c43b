"""Read a bundle's matches from the Parquet files beside it.

:func:`audit.archive.pack` makes these files. A file is read only if the bundle vouches for its
bytes (:mod:`audit.loading.vouched`), and from a checked copy. Otherwise the bundle is read:
for example if a file was replaced, or if this version of Koth has other tables.

An audit always reads the bundle: the list in it names the files but does not prove their content.
The tournament's own log is always read from the bundle.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path

import duckdb

from audit import memory
from audit.errors import AuditError
from audit.loading import vouched
from audit.loading.columnar import ADDED_COLUMNS
from audit.loading.columns import Columns, literal, quoted
from audit.loading.models import SQL, common_models, models_of
from audit.loading.vouched import NotVouched
from schema import discovery, registry
from schema.bundle import Bundle, Member
from schema.errors import LogError, UsageError
from schema.events import FORMAT
from schema.log_path import path_text
from schema.logs import Logs
from schema.seal import hex_digest

NOT_WRITTEN = ("answers", "contests", "entries", "evidence", "stages")
"""Tables without a Parquet file: answers are in other tables, evidence cannot be checked, and the
logs of contests are always read."""
LOGS = "logs"
UNREAD = "unread"
FIRST_RESULTS_ONLY = "in part"
"""The shape of tables that hold only the first result of a match with several results."""

ORIGIN = "log AS _log, {game} AS _game, match AS _match"
OTHER_COLUMNS = "* EXCLUDE (bundle, log, match) FROM {rows}"
PLAYERS = (
    "list_filter(players, lambda player: "
    "player.seat IS NOT NULL AND player.name IS NOT NULL AND player.bot IS NOT NULL) AS players"
)
"""The players of a match, without those that no log has: a stranger may have made them."""
COMMON = {
    "matches": {
        "match_started": f"0 AS seq, '{FORMAT}' AS format, {{game}} AS game, rules, tournament, "
        f"match, {PLAYERS}, settings, source, seed_commitment FROM {{rows}}",
        "match_finished": "finished AS seq, reason, scores, winners FROM {rows} "
        "WHERE finished IS NOT NULL",
        "match_sealed": "events AS seq, seed, events, seal AS sha256 FROM {rows}",
    },
    "answered": {"answered": OTHER_COLUMNS},
    "faults": {"fault": OTHER_COLUMNS},
}
"""Queries that rebuild the common events of matches, by the table that they read and by type."""
TYPES = {type for queries in COMMON.values() for type in queries}
"""The types of these events."""


@dataclass(frozen=True)
class ParquetBundle:
    """A bundle whose matches are read from Parquet files."""

    bundle: Bundle
    first: int
    """The number of its first log; the Parquet files count from 0."""
    logs: Sequence[str]
    """The names of its logs."""
    games: Sequence[str]
    """The games of its logs."""
    copies: Path
    """The folder with checked copies of the Parquet files."""

    def file(self, table: str, game: str) -> Path:
        """Return the checked copy of one table of one game."""
        return self.copies / game / f"{table}.parquet"

    @property
    def matches(self) -> Iterator[int]:
        """Yield the numbers of its matches' logs."""
        for number, name in enumerate(self.logs, self.first):
            if name != discovery.TOURNAMENT:
                yield number

    def logs_and_unread(self, path: str, absolute: str) -> Iterator[tuple[str, str]]:
        """Yield a table, ``logs`` or ``unread``, and the query for its rows about the matches.

        ``path`` is the bundle's path as the user wrote it, ``absolute`` its absolute path.
        """
        for game in self.games:
            row = ORIGIN.format(game=literal(game))
            inside = f"{literal(f'{path}/')} || path AS path"
            yield (
                "logs",
                f"SELECT {row}, {inside}, {literal(absolute)} AS folder, kind, rules, tournament "
                f"FROM {_rows([self], LOGS, game)} WHERE kind = 'match'",
            )
            unread = rows_of([self.file(UNREAD, game)])
            yield "unread", f"SELECT {inside}, verdict, reason FROM {unread}"


def tables_of(game: str) -> list[str]:
    """Return the names of a game's tables in an archive."""
    typed = [f"{game}_{model.type}" for model in models_of(registry.card(game))]
    return [*(path.stem for path in _shared()), *typed]


def _shared() -> list[Path]:
    """Return the SQL of the tables that an archive holds for every game."""
    return sorted(path for path in (SQL / "tables").glob("*.sql") if path.stem not in NOT_WRITTEN)


@cache
def shape(game: str) -> str:
    """Return a hash over the columns of a game's tables in an archive and the SQL of them."""
    texts = [path.read_text(encoding="utf-8") for path in _shared()]
    return hex_digest(repr((common_models(), models_of(registry.card(game)), texts)).encode())


def read_tables(game: str) -> list[str]:
    """Return the tables of a game that are read from Parquet; the others are made from them."""
    types = [model.type for model in models_of(registry.card(game))]
    return [LOGS, UNREAD, *COMMON, *(f"{game}_{type}" for type in types)]


@dataclass
class ParquetSearch:
    """The result of a search for Parquet files beside bundles."""

    bundles: list[ParquetBundle] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)
    """One sentence for each bundle whose Parquet files are not read, with the reason."""


def find(connection: duckdb.DuckDBPyConnection, logs: Logs, folder: Path) -> ParquetSearch:
    """Find the bundles in ``logs`` that are there in full and have valid Parquet files.

    The Parquet files are copied into ``folder``.
    """
    search = ParquetSearch()
    for first, bundle, names in _bundles(logs):
        if not _is_whole_tournament(bundle, names) or not vouched.exist(bundle):
            continue
        copies = folder / f"tables-{first}"
        try:
            if not _is_known(bundle):
                continue  # the error about each of its logs names the game
            games = _copy_tables(bundle, copies)
            parquet = ParquetBundle(bundle, first, names, games, copies)
            if _known_rules(connection, parquet):
                search.bundles.append(parquet)
        except (NotVouched, LogError) as error:
            search.rejected.append(f"{path_text(bundle.path)}: {error}")
    return search


def _bundles(logs: Logs) -> Iterator[tuple[int, Bundle, list[str]]]:
    """Yield the bundles in ``logs``: the number of the first log, the bundle, the logs' names."""
    first = 0
    for bundle, runs in groupby(logs.runs, lambda run: getattr(run[0], "bundle", None)):
        names: list[str] = []
        for folder, inside in runs:
            prefix = folder.prefix if isinstance(folder, Member) else ""
            names += [prefix + name for name in inside]
        if bundle:
            yield first, bundle, names
        first += len(names)


def _is_known(bundle: Bundle) -> bool:
    """Return whether all games of a bundle are installed. Raises NotVouched."""
    return vouched.read(bundle).games.keys() <= {card.name for card in registry.cards()[0]}


def _copy_tables(bundle: Bundle, folder: Path) -> list[str]:
    """Copy the Parquet files of a bundle into ``folder``; return its games. Raises NotVouched."""
    games = vouched.read(bundle).games
    for game, tables in games.items():
        if tables.shape not in (shape(game), FIRST_RESULTS_ONLY):
            raise NotVouched("its Parquet files were made by another version of Koth")
        if tables.shape == FIRST_RESULTS_ONLY:
            raise NotVouched("its Parquet files do not hold all events")
    for game, tables in games.items():
        vouched.copy(bundle, game, tables, read_tables(game), folder / game)
    return sorted(games)


def is_complete(bundle: Bundle) -> bool:
    """Return whether a bundle has all Parquet files, valid and of the current shape."""
    try:
        for game, tables in vouched.read(bundle).games.items():
            if tables.shape not in (shape(game), FIRST_RESULTS_ONLY):
                return False
            vouched.check(bundle, game, tables, tables_of(game))
    except (NotVouched, UsageError):  # UsageError: a game that is not installed
        return False
    return True


def _is_whole_tournament(bundle: Bundle, names: Sequence[str]) -> bool:
    """Return whether ``names`` are all logs of a bundle, and are one tournament and its matches."""
    try:
        if names != discovery.log_names(bundle):
            return False
    except (LogError, OSError):
        return False
    others = [name for name in names if not re.fullmatch(f"{discovery.MATCHES}/[^/]+", name)]
    return others == [discovery.TOURNAMENT]


def _known_rules(connection: duckdb.DuckDBPyConnection, bundle: ParquetBundle) -> bool:
    """Return whether this version of Koth has the rules version of every log. Raises NotVouched."""
    for game in bundle.games:
        known = registry.card(game).versions
        logs = rows_of([bundle.file(LOGS, game)])
        try:
            rows = connection.execute(f"SELECT DISTINCT rules::VARCHAR FROM {logs}").fetchall()
        except duckdb.Error as error:
            memory.raise_shortage(error)
            raise NotVouched("its Parquet files have no list of its logs") from None
        if not {rules for (rules,) in rows} <= set(known):
            return False
    return True


@contextmanager
def naming_damage(
    connection: duckdb.DuckDBPyConnection, bundles: Sequence[ParquetBundle]
) -> Iterator[None]:
    """Raise AuditError for an error of DuckDB if there are ``bundles``, whose files may cause it.

    Raises Shortage for one about memory or disk.
    """
    try:
        yield
    except duckdb.Error as error:
        if not bundles:
            raise
        raise damaged(connection, bundles, error) from error


def damaged(
    connection: duckdb.DuckDBPyConnection, bundles: Sequence[ParquetBundle], error: duckdb.Error
) -> AuditError:
    """Return the error about Parquet files that a bundle vouches for, but that are no tables.

    ``error`` is DuckDB's about the tables of all ``bundles``; the first that fails alone is named.
    A value of a wrong type may be in any of them. Raises Shortage for one about memory or disk.
    """
    memory.raise_shortage(error)
    at_fault = bundles[0] if len(bundles) == 1 else None
    for bundle in bundles:
        try:
            for query in _event_queries(bundle):
                connection.execute(f"FROM ({query}) LIMIT 0")
        except duckdb.Error as own:
            at_fault, error = bundle, own
            break
    folder = bundles[0].bundle.path.parent
    named = at_fault.bundle.path if at_fault else f"{folder}: one of {len(bundles)} bundles"
    return AuditError(
        f"{path_text(named)}: the tables beside it are damaged: {str(error).splitlines()[0]}. "
        f"Remove the folder {vouched.PARQUET}; koth pack makes it again"
    )


def _event_queries(bundle: ParquetBundle) -> Iterator[str]:
    """Yield the queries for all events of a bundle."""
    yield from common([bundle])
    for game in bundle.games:
        for model in models_of(registry.card(game)):
            yield from typed([bundle], game, model)


def common(bundles: Sequence[ParquetBundle]) -> Iterator[str]:
    """Yield queries for the rows of ``raw.common`` about the bundles' matches."""
    for game in sorted({game for bundle in bundles for game in bundle.games}):
        for table, queries in COMMON.items():
            rows = _rows(bundles, table, game)
            for type, query in queries.items():
                event = f"SELECT {ORIGIN}, {literal(type)} AS type, {query}"
                yield event.format(game=literal(game), rows=rows)


def typed(bundles: Sequence[ParquetBundle], game: str, model: Columns) -> list[str]:
    """Return the query for the bundles' events of one type; none if no bundle has the game."""
    if not any(game in bundle.games for bundle in bundles):
        return []
    columns = "".join(
        f", {quoted(c.name + '_' * (c.name in ADDED_COLUMNS))}::{c.type} AS {quoted(c.name)}"
        for c in model.columns
    )
    rows = _rows(bundles, f"{game}_{model.type}", game)
    return [f"SELECT log, match, seq{columns} FROM {rows}"]


def _rows(bundles: Sequence[ParquetBundle], table: str, game: str) -> str:
    """Return the SQL for the rows of one table, with the log numbers of this database.

    A row about a log that its bundle does not have is left out: a stranger may have made it.
    """
    having = [bundle for bundle in bundles if game in bundle.games]
    rows = rows_of(bundle.file(table, game) for bundle in having)

    def of_bundle(numbers: list[int]) -> str:
        return str(numbers[0]) if len(having) == 1 else f"{numbers}[file_index::BIGINT + 1]"

    first = of_bundle([bundle.first for bundle in having])
    last = of_bundle([len(bundle.logs) - 1 for bundle in having])
    return f"(SELECT * REPLACE (log + {first} AS log) FROM {rows} WHERE log BETWEEN 0 AND {last})"


def files_of(bundles: Iterable[ParquetBundle]) -> Iterator[Path]:
    """Yield the Parquet files that the tables of these bundles are read from."""
    for bundle in bundles:
        yield from (
            bundle.file(table, game) for game in bundle.games for table in read_tables(game)
        )


def rows_of(files: Iterable[Path]) -> str:
    """Return the SQL for the rows of Parquet files. A folder called ``name=value`` is no column."""
    return f"read_parquet({file_list(files)}, hive_partitioning = false)"


def file_list(files: Iterable[Path]) -> str:
    """Return paths as an SQL list, without glob characters."""
    return "[" + ", ".join(literal(glob.escape(str(file))) for file in files) + "]"
