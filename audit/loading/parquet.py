"""Tables that are ready: the Parquet files beside a bundle, read in place of its matches.

:func:`audit.archive.pack` makes them from the bundle. A file is read only if the bundle vouches
for its bytes (:mod:`audit.loading.vouched`); what is read is the copy that was checked. Else, as
when a file was replaced or Koth has other tables now, the bundle is read. An audit always reads the
bundle, because its list shows who made the Parquet files and not that they are right.

The tournament's own log is read from the bundle in any case.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path

import duckdb

from audit.loading import vouched
from audit.loading.columns import Columns, literal, quoted
from audit.loading.models import SQL, common_models, models_of, table_prefix
from audit.loading.vouched import NotVouched
from schema import discovery, registry
from schema.bundle import Bundle, Member
from schema.errors import LogError, UsageError
from schema.events import FORMAT
from schema.log_path import LogPath, path_text
from schema.seal import hex_digest

LEFT_OUT = ("answers", "evidence")
"""Tables that are not written: all answers stand in others, evidence is not checked."""
LOGS = "logs"
UNREAD = "unread"
OWN = ("bundle", "game")
"""Columns that say where a row is from; a field of an event with such a name gets a ``_``."""
IN_PART = "in part"
"""The shape of tables that do not hold all events: of several results of a match just the first."""

PLACE = "log AS _log, {game} AS _game, match AS _match"
OTHERS = "* EXCLUDE (bundle, log, match) FROM {rows}"
COMMON = {
    "matches": (
        f"SELECT {PLACE}, 0 AS seq, 'match_started' AS type, '{FORMAT}' AS format, "
        "{game} AS game, rules, tournament, match, players, settings, source, seed_commitment "
        "FROM {rows}",
        f"SELECT {PLACE}, finished AS seq, 'match_finished' AS type, reason, scores, winners "
        "FROM {rows} WHERE finished IS NOT NULL",
        f"SELECT {PLACE}, events AS seq, 'match_sealed' AS type, seed, events, seal AS sha256 "
        "FROM {rows}",
    ),
    "answered": (f"SELECT {PLACE}, 'answered' AS type, {OTHERS}",),
    "faults": (f"SELECT {PLACE}, 'fault' AS type, {OTHERS}",),
}
"""The events of matches that all games share, made again from the tables that hold them."""


@dataclass(frozen=True)
class Ready:
    """A bundle whose tables are ready."""

    bundle: Bundle
    first: int
    """The number of its first log; the tables count from 0."""
    logs: Sequence[Member]
    games: Sequence[str]
    """The games of its logs."""
    copies: Path
    """The folder with the Parquet files that were checked."""

    def file(self, table: str, game: str) -> Path:
        """The Parquet file with its part of a table."""
        return self.copies / game / f"{table}.parquet"

    @property
    def matches(self) -> Iterator[int]:
        """The numbers of its matches' logs."""
        for number, log in enumerate(self.logs, self.first):
            if str(log.inner) != discovery.TOURNAMENT:
                yield number

    def logs_and_unread(self, path: str, home: str) -> Iterator[tuple[str, str]]:
        """Rows of ``raw.logs`` and ``raw.unread`` about the matches: each the table and a query.

        ``path`` is the bundle's, ``home`` the same from the root on.
        """
        for game in self.games:
            row = PLACE.format(game=literal(game))
            inside = f"{literal(f'{path}/')} || path AS path"
            yield (
                "logs",
                f"SELECT {row}, {inside}, {literal(home)} AS folder, kind, rules, tournament "
                f"FROM {_rows([self], LOGS, game)} WHERE kind = 'match'",
            )
            file = listed([self.file(UNREAD, game)])
            yield (
                "unread",
                f"SELECT {inside}, verdict, reason "
                f"FROM read_parquet({file}, hive_partitioning = false)",
            )


def tables_of(game: str) -> list[str]:
    """The tables of a game that an archive has."""
    typed = [f"{table_prefix(game)}_{model.type}" for model in models_of(registry.card(game))]
    shared = {path.stem for path in (SQL / "tables").glob("*.sql")}.difference(LEFT_OUT)
    return [*sorted(shared), *typed]


@cache
def shape(game: str) -> str:
    """What stands for the columns of a game's tables, and for how they are made."""
    texts = [path.read_text() for path in sorted((SQL / "tables").glob("*.sql"))]
    return hex_digest(repr((common_models(), models_of(registry.card(game)), texts)).encode())


def read_tables(game: str) -> list[str]:
    """The tables of a game that are read from Parquet; all others are made from these."""
    types = [model.type for model in models_of(registry.card(game))]
    return [LOGS, UNREAD, *COMMON, *(f"{table_prefix(game)}_{type}" for type in types)]


@dataclass
class Search:
    """What was found beside the bundles."""

    ready: list[Ready] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)
    """Why the Parquet files of a bundle are not read, one sentence for each bundle."""


def find(connection: duckdb.DuckDBPyConnection, found: Sequence[LogPath], folder: Path) -> Search:
    """The bundles among the places, each with all its logs in a row, whose tables are ready.

    Their Parquet files are copied into ``folder``.
    """
    search = Search()
    for bundle, places in groupby(enumerate(found), lambda one: getattr(one[1], "bundle", None)):
        numbers, own = zip(*places, strict=True)
        if not bundle or not _has_all(bundle, own) or not vouched.exist(bundle):
            continue
        copies = folder / f"tables-{numbers[0]}"
        try:
            games = _copied(bundle, copies)
            ready = Ready(bundle, numbers[0], own, games, copies)
            if _known_rules(connection, ready):
                search.ready.append(ready)
        except (NotVouched, LogError) as error:
            search.passed_over.append(f"{path_text(bundle.path)}: {error}")
    return search


def _copied(bundle: Bundle, folder: Path) -> list[str]:
    """Copy the Parquet files of a bundle into ``folder``; its games. Raises NotVouched."""
    games = vouched.read(bundle).games
    known = {card.name for card in registry.cards()[0]}
    for game, tables in games.items():
        if game not in known or tables.shape not in (shape(game), IN_PART):
            raise NotVouched("its Parquet files were made by another Koth")
        if tables.shape == IN_PART:
            raise NotVouched("its Parquet files do not hold all events")
    for game in games:
        vouched.copy(bundle, game, read_tables(game), folder / game)
    return sorted(games)


def whole(bundle: Bundle) -> bool:
    """Whether a bundle vouches for all tables of today's shape, and all their files are there."""
    try:
        for game, tables in vouched.read(bundle).games.items():
            if tables.shape not in (shape(game), IN_PART):
                return False
            vouched.check(bundle, game, tables_of(game))
    except (NotVouched, UsageError):  # of a game that is not installed
        return False
    return True


def _has_all(bundle: Bundle, places: Iterable[Member]) -> bool:
    """Whether these are all the logs of a bundle, and those of a tournament, each in its place."""
    try:
        names = discovery.log_names(bundle)
    except (LogError, OSError):
        return False
    others = [name for name in names if not re.fullmatch(f"{discovery.MATCHES}/[^/]+", name)]
    return others == [discovery.TOURNAMENT] and names == [str(one.inner) for one in places]


def _known_rules(connection: duckdb.DuckDBPyConnection, ready: Ready) -> bool:
    """Whether all logs were played under rules that are known."""
    for game in ready.games:
        known = registry.card(game).versions
        file = listed([ready.file(LOGS, game)])
        try:
            rows = connection.execute(f"SELECT DISTINCT rules FROM read_parquet({file})").fetchall()
        except duckdb.Error:
            return False
        if not {rules for (rules,) in rows} <= set(known):
            return False
    return True


def common(readies: Sequence[Ready]) -> Iterator[str]:
    """The events of the matches that all games share, as rows of ``raw.common``."""
    for game in sorted({game for ready in readies for game in ready.games}):
        for table, queries in COMMON.items():
            rows = _rows(readies, table, game)
            yield from (query.format(game=literal(game), rows=rows) for query in queries)


def typed(readies: Sequence[Ready], game: str, model: Columns) -> list[str]:
    """The events of one type of a game, as rows of its table; nothing if no bundle has the game."""
    if not any(game in ready.games for ready in readies):
        return []
    columns = "".join(
        f", {quoted(c.name + '_' * (c.name in OWN))}::{c.type} AS {quoted(c.name)}"
        for c in model.columns
    )
    rows = _rows(readies, f"{table_prefix(game)}_{model.type}", game)
    return [f"SELECT log, match, seq{columns} FROM {rows}"]


def _rows(readies: Sequence[Ready], table: str, game: str) -> str:
    """The rows of one table, with the numbers that the logs have here."""
    own = [ready for ready in readies if game in ready.games]
    firsts = [ready.first for ready in own]
    first = str(firsts[0]) if len(own) == 1 else f"{firsts}[file_index::BIGINT + 1]"
    files = listed(ready.file(table, game) for ready in own)
    return (
        f"(SELECT * REPLACE (log + {first} AS log) "
        f"FROM read_parquet({files}, hive_partitioning = false))"
    )


def files_of(readies: Iterable[Ready]) -> Iterator[Path]:
    """The files that the tables of these bundles are read from."""
    for one in readies:
        yield from (one.file(table, game) for game in one.games for table in read_tables(game))


def listed(files: Iterable[Path]) -> str:
    """Files as a list in SQL, each name meaning itself."""
    return "[" + ", ".join(literal(glob.escape(str(file))) for file in files) + "]"
