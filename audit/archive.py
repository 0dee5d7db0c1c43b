"""Archives: folders of bundles, with the tables of each bundle as Parquet beside them.

    archive/
      spring.jsonl.zst                                  all that is known of a tournament
      parquet/matches/game=coup/spring.parquet          its part of a table, made from the bundle

The bundles are the truth. Each vouches for its tables (:mod:`audit.loading.vouched`), which are
made again, and the bundle with them, where they are missing or others
(:mod:`audit.loading.parquet`).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from audit.errors import AuditError
from audit.loading import parquet, vouched
from audit.loading.columns import literal, quoted
from audit.loading.load import BulkTables
from audit.loading.models import table_prefix
from audit.loading.parquet import IN_PART, OWN
from audit.loading.vouched import GameTables, Vouched
from audit.tables import Database, open_database
from schema import discovery, reader
from schema.bundle import SUFFIX, Bundle, Entry, extract, is_bundle, write
from schema.errors import KothError, NothingToDo, UsageError
from schema.executor import Mapper, serial
from schema.files import refuse_links, replacing
from schema.log_path import path_text
from schema.scan import read_log_bytes

KEY = ("log", "seq", "seat", "entrant", "place", "path")
"""Columns that give the rows of every table one order, so that its bytes are always the same."""
ZSTD = "COMPRESSION zstd"
"""How the tables are packed. Row groups larger than DuckDB has them would save 3 % of bytes, and
cost a third of the time."""


class ArchiveError(KothError):
    """Something that cannot be packed."""

    exit_code = 1


@dataclass(frozen=True)
class Packed:
    """One bundle of an archive."""

    bundle: Bundle
    new: bool
    """Whether it was put there just now."""

    @property
    def files(self) -> int:
        """How many files it holds."""
        return len(_files(self.bundle))

    @property
    def size(self) -> int:
        """Their size in bytes."""
        return sum(entry.size for entry in _files(self.bundle))

    @property
    def packed(self) -> int:
        """The size of the bundle in bytes."""
        return self.bundle.path.stat().st_size


def pack(tournaments: Iterable[Path], archive: Path, each: Mapper = serial) -> list[Packed]:
    """Put tournaments into an archive, which is made if need be; all its bundles by name.

    A tournament that is there already stays; tables are made where they are missing. ``each`` is
    what the logs are read with. Nothing is written unless all can be packed. Raises UsageError,
    ArchiveError for a tournament without a seal, and LogError for what is damaged.
    """
    named = _named([path.resolve() for path in tournaments], archive)
    _check_archive(archive)
    there = {bundle.name: bundle for bundle in bundles(archive)} if archive.exists() else {}
    for name, path in named.items():
        _check_sealed(path)
        if name in there and _entries(path) != _files(there[name]):
            raise UsageError(
                f"{there[name].path}: there is another tournament called {name} in the archive "
                f"than that in {path}. Rename the folder, or remove the bundle."
            )
    if not named and not there:
        raise NothingToDo(f"{archive}: expected tournaments to pack, found none.")
    archive.mkdir(parents=True, exist_ok=True)
    for name, path in named.items():
        if name not in there:
            target = archive / f"{name}{SUFFIX}"
            write(
                ((file, read_log_bytes(at)) for file, at in discovery.tournament_files(path)),
                target,
            )
    done = [(bundle, bundle.name not in there) for bundle in bundles(archive)]
    return [
        Packed(bundle if parquet.whole(bundle) else write_tables(bundle, each), new)
        for bundle, new in done
    ]


def unpack(archive: Path, target: Path) -> list[str]:
    """Write the tournaments of an archive, or of one bundle, into ``target``; their names.

    Nothing is left in ``target`` unless all of them are. Raises NothingToDo when there is no
    bundle, UsageError when a folder is there already or the disk has too little room, and
    CorruptLog for a damaged bundle.
    """
    if not archive.exists():
        raise UsageError(f"{archive}: there is no such file or folder.")
    found = bundles(archive)
    if not found:
        raise NothingToDo(f"{archive}: no bundle (*{SUFFIX}) is in there.")
    for one in found:
        if (target / one.name).exists():
            raise UsageError(f"{target / one.name}: expected nothing there, found something.")
    target.parent.mkdir(parents=True, exist_ok=True)
    size = sum(entry.size for bundle in found for entry in bundle.entries)
    free = shutil.disk_usage(target.parent).free
    if size > free:
        raise UsageError(f"{target}: expected room for {size} bytes, found {free}.")
    with TemporaryDirectory(dir=target.parent, prefix=".unpack-") as temporary:
        for one in found:
            extract(one, Path(temporary) / one.name)
            listed = Path(temporary) / one.name / vouched.LIST
            if listed.is_file():
                listed.unlink()
        target.mkdir(exist_ok=True)
        for one in found:
            (Path(temporary) / one.name).rename(target / one.name)
    return [one.name for one in found]


def bundles(archive: Path) -> list[Bundle]:
    """The bundles of an archive, or the one at this path, by name, each of them checked."""
    paths = [archive] if archive.is_file() else archive.glob(f"*{SUFFIX}")
    found = [Bundle(path) for path in sorted(paths)]
    for bundle in found:
        bundle.check()
    return found


def write_tables(bundle: Bundle, each: Mapper = serial) -> Bundle:
    """Write the tables of a bundle beside it as Parquet, and the bundle anew, to vouch for them.

    A table is what ``koth sql`` shows of the bundle alone, so ``log`` counts from 0 in each bundle.
    """
    own = reader.read(bundle.root / discovery.TOURNAMENT).card.name
    bulk_tables = BulkTables(ZSTD, f"{literal(bundle.name)} AS bundle,")
    with (
        open_database(
            [bundle.path], bare=True, from_archives=False, bulk_tables=bulk_tables, each=each
        ) as database,
        ExitStack() as stack,
    ):
        games = {}
        for game in database.games:
            digests = {}
            for table in parquet.tables_of(game):
                path = vouched.path(bundle, table, game)
                refuse_links(path.parent, bundle.path.parent)
                path.parent.mkdir(parents=True, exist_ok=True)
                temporary = stack.enter_context(replacing(path))
                if bulk := _bulk(database, game, table):
                    shutil.copyfile(bulk, temporary)
                else:
                    _copy(database, _query(database, bundle, game, table, own), temporary)
                digests[table] = vouched.digest(temporary)
            games[game] = GameTables(shape=_shape(database, game), files=digests)
    return _vouching(bundle, Vouched(games=games))


def _vouching(bundle: Bundle, tables: Vouched) -> Bundle:
    """Write a bundle again, with the list of the Parquet files that it vouches for."""
    content = tables.model_dump_json().encode() + b"\n"
    names = sorted([vouched.LIST, *(entry.file for entry in _files(bundle))])
    files = ((name, content if name == vouched.LIST else bundle.read(name)) for name in names)
    write(files, bundle.path)
    return Bundle(bundle.path)


def _bulk(database: Database, game: str, table: str) -> Path | None:
    """The file with all events of a table that are bulk, if no other event is in the table."""
    path = database.bulk.get((game, table.removeprefix(f"{table_prefix(game)}_")))
    counted = "SELECT (SELECT count(*) FROM {}) = (SELECT count(*) FROM read_parquet({}))"
    if path is None:
        return None
    [(all_bulk,)] = database.connection.execute(
        counted.format(quoted(table), parquet.listed([path]))
    ).fetchall()
    return path if all_bulk else None


def _shape(database: Database, game: str) -> str:
    """What the tables of a game say of their shape: which columns, and whether all events."""
    [(most,)] = database.connection.execute(
        "SELECT max(results) FROM (SELECT count(*) AS results FROM raw.common "
        "WHERE type = 'match_finished' GROUP BY _log)"
    ).fetchall()
    return IN_PART if most and most > 1 else parquet.shape(game)


def _copy(database: Database, query: str, path: Path) -> None:
    try:
        database.connection.execute(f"COPY ({query}) TO {literal(path)} (FORMAT parquet, {ZSTD})")
    except duckdb.Error as error:
        raise AuditError(f"{path}: this table cannot be written: {error}") from error


def _query(database: Database, bundle: Bundle, game: str, table: str, own: str) -> str:
    """The rows of a table in one order: the bundle's name, then its columns.

    Rows without a game go to ``own``, that of the tournament. What is JSON becomes text, which all
    engines know.
    """
    types = _types(database, table)
    columns = {
        name: f"{quoted(name)}::{type.replace('JSON', 'VARCHAR')} AS {quoted(name)}"
        for name, type in types.items()
    }
    rows = "true"
    if table.startswith(f"{table_prefix(game)}_"):
        columns |= {name: f"{name} AS {name}_" for name in OWN if name in types}
    else:
        inside = len(path_text(bundle.path)) + 2
        columns |= {"path": f"substr(path, {inside}) AS path"} if "path" in types else {}
        rows = f"game = {literal(game)}" if columns.pop("game", None) else str(game == own).lower()
    order = ", ".join(name for name in KEY if name in types)
    return (
        f"SELECT {literal(bundle.name)} AS bundle, {', '.join(columns.values())} "
        f"FROM {quoted(table)} WHERE {rows} ORDER BY {order}"
    )


def _types(database: Database, table: str) -> Mapping[str, str]:
    return dict(
        database.connection.execute(
            "SELECT column_name, data_type FROM duckdb_columns() "
            "WHERE schema_name = 'main' AND table_name = ? ORDER BY column_index",
            [table],
        ).fetchall()
    )


def _named(paths: Sequence[Path], archive: Path) -> dict[str, Path]:
    """Tournaments by the names of their folders, sorted. Raises UsageError."""
    named: dict[str, Path] = {}
    for path in paths:
        if not path.name.isprintable():
            raise UsageError(f"{str(path)!r}: expected a printable name. Rename the folder.")
        if not path.exists():
            raise UsageError(f"{path}: there is no such folder.")
        if not (path / discovery.TOURNAMENT).is_file():
            packed = is_bundle(path) or (path.is_dir() and any(path.glob(f"*{SUFFIX}")))
            found = "an archive, which is packed already" if packed else "none"
            folder = f"a tournament's folder (with {discovery.TOURNAMENT})"
            raise UsageError(f"{path}: expected {folder}, found {found}.")
        if archive.resolve().is_relative_to(path):
            raise UsageError(f"{archive}: an archive cannot lie in a tournament that it holds.")
        if named.setdefault(path.name, path) != path:
            raise UsageError(f"{path} and {named[path.name]} have one name. Rename one of them.")
    return dict(sorted(named.items()))


def _check_archive(archive: Path) -> None:
    if archive.exists() and not archive.is_dir():
        raise UsageError(f"{archive}: expected a folder for the archive, found a file.")
    # What an earlier attempt was killed over is no other thing.
    there = [path.name for path in archive.iterdir()] if archive.exists() else []
    there = [name for name in there if not (name.startswith(".") and name.endswith(".tmp"))]
    if there and not any(name.endswith(SUFFIX) for name in there):
        raise UsageError(f"{archive}: expected an archive or an empty folder, found other things.")


def _check_sealed(path: Path) -> None:
    try:
        reader.read(path / discovery.TOURNAMENT)
    except reader.IncompleteLog as error:
        raise ArchiveError(f"{path.name}: this tournament is not sealed: {error}.") from None


def _entries(path: Path) -> list[Entry]:
    return [Entry.of(name, read_log_bytes(at)) for name, at in discovery.tournament_files(path)]


def _files(bundle: Bundle) -> list[Entry]:
    """The files of the tournament in a bundle."""
    return [entry for entry in bundle.entries if entry.file != vouched.LIST]
