"""Tables that are ready: the Parquet files beside a bundle, read in the place of its matches.

They are a cache, which :func:`audit.archive.pack` makes from the bundle. Each says in its metadata
which bundle it is of (by the hash in the seal), and of which shape the tables are; one that does
not, as when a bundle was replaced or Koth renewed, is not used, and the bundle is read instead.
That a file holds what was in the bundle is taken on trust: who can write there can change what
queries, leaderboards and audits of the archive see. ``koth verify`` always reads the bundles;
without the folder ``parquet`` so does everything else.

The tournament's own log is read from the bundle in any case: it is one.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

import duckdb

from audit.columns import Columns, literal, quoted
from audit.models import SQL, common_models, models_of, table_prefix
from schema import folder, registry
from schema.bundle import Bundle, Member
from schema.errors import LogError, UsageError
from schema.events import FORMAT
from schema.place import Place
from schema.seal import hex_digest

PARQUET = "parquet"
LEFT_OUT = ("answers", "evidence")
"""Tables that are not written: all answers stand in others, evidence is not checked."""
MARK = "logs"
"""The table that is written last: where it is there, all are."""
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

    def file(self, table: str, game: str) -> Path:
        """Where its part of a table lies."""
        return place(self.bundle, table, game)

    @property
    def matches(self) -> Iterator[int]:
        """The numbers of its matches' logs."""
        for number, log in enumerate(self.logs, self.first):
            if str(log.inner) != folder.TOURNAMENT:
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
                f"FROM {_rows([self], MARK, game)} WHERE kind = 'match'",
            )
            file = listed([self.file("unread", game)])
            yield (
                "unread",
                f"SELECT {inside}, verdict, reason "
                f"FROM read_parquet({file}, hive_partitioning = false)",
            )


def place(bundle: Bundle, table: str, game: str) -> Path:
    """Where the part of a table that is of one game and one bundle lies."""
    return bundle.path.parent / PARQUET / table / f"game={game}" / f"{bundle.name}.parquet"


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


def games_with_tables(
    connection: duckdb.DuckDBPyConnection, bundle: Bundle, *, whole: bool
) -> list[str]:
    """The games of a bundle if all its tables are there, are its own and of today's shape; or none.

    If they need not be ``whole``, those count too that do not hold all events.
    """
    marks = (bundle.path.parent / PARQUET / MARK).glob("game=*")
    games = [mark.name.removeprefix("game=") for mark in marks]
    games = sorted(game for game in games if place(bundle, MARK, game).exists())
    try:
        files = [place(bundle, table, game) for game in games for table in tables_of(game)]
    except UsageError:  # of a game that is not installed
        return []
    if not _all_of(connection, bundle, files):
        return []
    for game in games:
        told = _told(connection, [place(bundle, MARK, game)])[0]
        shapes = (shape(game),) if whole else (shape(game), IN_PART)
        if told.get("games") != ",".join(games) or told.get("shape") not in shapes:
            return []
    return games


def _all_of(connection: duckdb.DuckDBPyConnection, bundle: Bundle, files: Collection[Path]) -> bool:
    """Whether all these files are there, and say that they are of the bundle."""
    if not files or not all(file.exists() for file in files):
        return False
    told = _told(connection, files)
    return len(told) == len(files) and all(one.get("bundle") == bundle.digest for one in told)


def _told(connection: duckdb.DuckDBPyConnection, files: Iterable[Path]) -> list[dict[str, str]]:
    """What files say of themselves; nothing if one is no Parquet."""
    try:
        rows = connection.execute(
            "SELECT map_from_entries(list((decode(key), decode(value)))) "
            f"FROM parquet_kv_metadata({listed(files)}) GROUP BY file_name"
        ).fetchall()
    except duckdb.Error:
        return []
    return [told for (told,) in rows]


def find(
    connection: duckdb.DuckDBPyConnection, found: Sequence[Place], *, current_only: bool
) -> Iterator[Ready]:
    """The bundles among the places, each with all its logs in a row, whose tables are ready.

    With ``current_only``, only those without a log of an older rules version.
    """
    for bundle, places in groupby(enumerate(found), lambda one: getattr(one[1], "bundle", None)):
        numbers, own = zip(*places, strict=True)
        if bundle and _has_all(bundle, own):
            games = games_with_tables(connection, bundle, whole=True)
            ready = Ready(bundle, numbers[0], own, games)
            if games and _known_rules(connection, ready, current_only):
                yield ready


def _has_all(bundle: Bundle, places: Iterable[Member]) -> bool:
    """Whether these are all the logs of a bundle, and those of a tournament, each in its place."""
    try:
        names = folder.names_in_bundle(bundle)
    except (LogError, OSError):
        return False
    others = [name for name in names if not re.fullmatch(f"{folder.MATCHES}/[^/]+", name)]
    return others == [folder.TOURNAMENT] and names == [str(one.inner) for one in places]


def _known_rules(connection: duckdb.DuckDBPyConnection, ready: Ready, current_only: bool) -> bool:
    """Whether all logs were played under rules that are known, or under the current ones."""
    for game in ready.games:
        card = registry.card(game)
        known = [card.current.name] if current_only else list(card.versions)
        file = listed([ready.file(MARK, game)])
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
        for game in one.games:
            types = [model.type for model in models_of(registry.card(game))]
            for table in (*COMMON, *(f"{table_prefix(game)}_{type}" for type in types)):
                yield one.file(table, game)


def listed(files: Iterable[Path]) -> str:
    """Files as a list in SQL, each name meaning itself."""
    return "[" + ", ".join(literal(glob.escape(str(file))) for file in files) + "]"
