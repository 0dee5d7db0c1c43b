"""Archives: a folder of bundles, and the tables of each bundle as Parquet files.

    archive/
      spring.jsonl.zst                                  all files of a tournament
      parquet/matches/game=coup/spring.parquet          one of its tables, made from the bundle

A closed contest is one bundle with its stages and its bots, without Parquet files.

The Parquet files can always be made again from the bundle, which lists their hashes
(:mod:`audit.loading.vouched`). If one is missing or differs, all tables of the bundle are written
again, and the bundle with its new list (:mod:`audit.loading.parquet`).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import duckdb

from audit.errors import AuditError
from audit.loading import parquet, vouched
from audit.loading.columnar import ADDED_COLUMNS
from audit.loading.columns import literal, quoted
from audit.loading.load import BulkTables
from audit.loading.parquet import FIRST_RESULTS_ONLY
from audit.loading.vouched import GameTables, Vouched
from audit.query import tables
from audit.tables import Database, open_database
from schema import discovery, reader
from schema.bundle import MAX_FOLDERS, SUFFIX, Bundle, Entry, extract, is_bundle, write
from schema.errors import KothError, NothingToDo, UsageError
from schema.executor import Mapper, serial
from schema.files import (
    exists,
    file_hash,
    is_inside,
    make_folder,
    naming,
    open_regular,
    refuse_links,
    replacing,
    temporary_beside,
)
from schema.log_path import is_encodable, path_text
from schema.scan import read_log_bytes
from schema.seal import MAX_BOT_BYTES
from schema.words import similar_name

SORT_COLUMNS = ("log", "seq", "seat", "entrant", "place", "path")
"""Columns that order the rows of every table, so that equal tables have equal bytes."""
ZSTD = "COMPRESSION zstd"
"""Compression of the tables. Larger row groups would save 3 % of bytes and take a third longer."""


class ArchiveError(KothError):
    """Raised when a tournament cannot be packed."""

    exit_code = 1


@dataclass(frozen=True)
class Packed:
    """One bundle of an archive."""

    bundle: Bundle
    new: bool
    """Whether this call of :func:`pack` added it."""

    @property
    def files(self) -> int:
        """Number of files in it."""
        return len(_files(self.bundle))

    @property
    def size(self) -> int:
        """Bytes of these files, uncompressed."""
        return sum(entry.size for entry in _files(self.bundle))

    @property
    def packed(self) -> int:
        """Bytes of the bundle."""
        return self.bundle.path.stat().st_size


def pack(tournaments: Iterable[Path], archive: Path, mapper: Mapper = serial) -> list[Packed]:
    """Add tournaments to an archive, which is created if necessary; return all its bundles by name.

    A tournament that is already in the archive is skipped; missing tables are written. ``mapper``
    reads the logs. Nothing is written unless all tournaments are sealed and have files with names
    that can be packed.
    Raises UsageError for a wrong path or name, ArchiveError for a tournament without a seal,
    LogError for a damaged file, and NothingToDo if no tournament is given or archived.
    """
    folders = _by_name([Path(os.path.realpath(path)) for path in tournaments], archive)
    _check_archive(archive)
    existing = {bundle.name: bundle for bundle in bundles(archive)}
    for name, folder in folders.items():
        _check_sealed(folder)
        for file, path in discovery.tournament_files(folder):  # it raises, too
            if file.count("/") > MAX_FOLDERS:
                raise UsageError(
                    f"{path}: expected a file in up to {MAX_FOLDERS} folders inside each other."
                )
        if name in existing and _entries(folder) != _files(existing[name]):
            raise UsageError(
                f"{existing[name].path}: expected the tournament in {folder}, found another one "
                f"called {name}. Rename the folder, or remove the bundle."
            )
    if not folders and not existing:
        raise NothingToDo(f"{archive}: expected tournaments to pack, found none.")
    if folders.keys() - existing.keys():
        make_folder(archive)
    for name, folder in folders.items():
        if name not in existing:
            write(_contents(folder), archive / f"{name}{SUFFIX}")
    return [
        Packed(
            bundle
            if discovery.CONTEST in bundle or parquet.is_complete(bundle)
            else write_tables(bundle, mapper),
            new=bundle.name not in existing,
        )
        for bundle in bundles(archive)
    ]


def unpack(archive: Path, target: Path) -> list[str]:
    """Write the tournaments of an archive, or of one bundle, into ``target``; return their names.

    ``target`` does not change unless all of them can be written. Raises NothingToDo if no bundle
    exists, UsageError if a folder already exists or the disk is too full, and CorruptLog for a
    damaged bundle.
    """
    if not exists(archive):
        raise UsageError(f"{archive}: there is no such file or folder.{similar_name(archive)}")
    to_unpack = bundles(archive)
    if not to_unpack:
        raise NothingToDo(f"{archive}: expected bundles (*{SUFFIX}), found none.")
    if os.path.lexists(target) and not target.is_dir():
        kind = "a file" if target.exists() else "a link that leads nowhere"
        raise UsageError(f"{target}: expected a folder, found {kind}.")
    for bundle in to_unpack:
        if os.path.lexists(target / bundle.name):
            raise UsageError(f"{target / bundle.name}: this path already exists.")
    place = target if target.exists() else target.parent  # on the same file system
    make_folder(place)
    size = sum(entry.size for bundle in to_unpack for entry in bundle.entries)
    free = shutil.disk_usage(place).free
    if size > free:
        raise UsageError(f"{target}: expected room for {size} bytes, found {free}.")
    temporary = temporary_beside(place / to_unpack[0].name)
    with naming(target):
        try:
            temporary.mkdir()
            for bundle in to_unpack:
                extract(bundle, temporary / bundle.name)
                if vouched.LIST in bundle:
                    (temporary / bundle.name / vouched.LIST).unlink()
            target.mkdir(exist_ok=True)
            for bundle in to_unpack:
                (temporary / bundle.name).rename(target / bundle.name)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    return [bundle.name for bundle in to_unpack]


def bundles(archive: Path) -> list[Bundle]:
    """Return the bundles of an archive by name, or the bundle at this path, after a check of each.

    Raises UsageError for another file, or a bundle whose name is no name of a folder, and
    CorruptLog for a damaged bundle.
    """
    if archive.is_file() and not is_bundle(archive):
        raise UsageError(f"{archive}: expected a bundle (*{SUFFIX}), found a file of another name.")
    paths = [archive] if archive.is_file() else archive.glob(f"*{SUFFIX}")
    checked = [Bundle(path) for path in sorted(paths)]
    for bundle in checked:
        if bundle.name in ("", ".", "..") or not bundle.name.isprintable():
            raise UsageError(
                f"{bundle.path}: expected the name of a folder, printable, before {SUFFIX}. "
                "Rename the bundle."
            )
        bundle.check()
    return checked


def write_tables(bundle: Bundle, mapper: Mapper) -> Bundle:
    """Write the tables of a bundle as Parquet files, and the bundle again with a list of them.

    A table holds the rows that ``koth sql`` shows of this bundle, so ``log`` counts from 0.
    """
    main_game = reader.read(bundle.root / discovery.TOURNAMENT).card.name
    bulk_tables = BulkTables(ZSTD, f"{literal(bundle.name)} AS bundle,")
    with (
        open_database(
            [bundle.path], bare=True, from_archives=False, bulk_tables=bulk_tables, mapper=mapper
        ) as database,
        ExitStack() as stack,
    ):
        columns = {table.name: table.columns for table in tables(database)}
        games = {}
        for game in database.games:
            digests = {}
            for table in parquet.tables_of(game):
                path = vouched.path(bundle, table, game)
                refuse_links(path.parent, bundle.path.parent)
                path.parent.mkdir(parents=True, exist_ok=True)
                temporary = stack.enter_context(replacing(path))
                if bulk := _bulk_file(database, game, table):
                    shutil.copyfile(bulk, temporary)
                else:
                    types = {column.name: column.type for column in columns[table]}
                    query = _query(bundle, game, table, types, main_game)
                    _copy(database, query, temporary, path)
                digests[table] = file_hash(temporary)
            games[game] = GameTables(shape=_shape(database, game), files=digests)
    return _with_list(bundle, Vouched(games=games))


def _with_list(bundle: Bundle, tables: Vouched) -> Bundle:
    """Write a bundle again, with the list of its Parquet files."""
    content = tables.model_dump_json().encode() + b"\n"
    names = sorted([vouched.LIST, *(entry.file for entry in _files(bundle))])
    files = ((name, content if name == vouched.LIST else bundle.read(name)) for name in names)
    write(files, bundle.path)
    return Bundle(bundle.path)


def _bulk_file(database: Database, game: str, table: str) -> Path | None:
    """Return the file of bulk events that holds all events of a table, if one does."""
    path = database.bulk_files.get((game, table.removeprefix(f"{game}_")))
    compare = "SELECT (SELECT count(*) FROM {}) = (SELECT count(*) FROM {})"
    if path is None:
        return None
    [(all_bulk,)] = database.rows(compare.format(quoted(table), parquet.rows_of([path])))
    return path if all_bulk else None


def _shape(database: Database, game: str) -> str:
    """Return the shape of a game's tables: a hash, or the mark that a match has several results."""
    [(most,)] = database.rows(
        "SELECT max(results) FROM (SELECT count(*) AS results FROM raw.common "
        "WHERE type = 'match_finished' GROUP BY _log)"
    )
    return FIRST_RESULTS_ONLY if most and most > 1 else parquet.shape(game)


def _copy(database: Database, query: str, temporary: Path, path: Path) -> None:
    """Write a table to ``temporary``, which becomes ``path``. Raises AuditError."""
    try:
        database.execute(f"COPY ({query}) TO {literal(temporary)} (FORMAT parquet, {ZSTD})")
    except duckdb.Error as error:
        raise AuditError(f"{path}: this table cannot be written: {error}") from error


def _query(bundle: Bundle, game: str, table: str, types: Mapping[str, str], main_game: str) -> str:
    """Return the query for the ordered rows of a table, with the bundle's name first.

    Rows without a game belong to ``main_game``, the tournament's. JSON becomes text, because not
    every reader of Parquet knows it.
    """
    columns = {
        name: f"{quoted(name)}::{type.replace('JSON', 'VARCHAR')} AS {quoted(name)}"
        for name, type in types.items()
    }
    rows = "true"
    if table.startswith(f"{game}_"):
        columns |= {name: f"{name} AS {name}_" for name in ADDED_COLUMNS if name in types}
    else:
        inside = len(path_text(bundle.path)) + 2
        columns |= {"path": f"substr(path, {inside}) AS path"} if "path" in types else {}
        without_game = str(game == main_game).lower()
        rows = f"game = {literal(game)}" if columns.pop("game", None) else without_game
    order = ", ".join(name for name in SORT_COLUMNS if name in types)
    return (
        f"SELECT {literal(bundle.name)} AS bundle, {', '.join(columns.values())} "
        f"FROM {quoted(table)} WHERE {rows} ORDER BY {order}"
    )


def _by_name(paths: Sequence[Path], archive: Path) -> dict[str, Path]:
    """Return tournaments by the names of their folders, sorted. Raises UsageError."""
    folders: dict[str, Path] = {}
    for path in paths:
        if not path.name.isprintable():
            raise UsageError(f"{str(path)!r}: expected a printable name. Rename the folder.")
        if not path.exists():
            raise UsageError(f"{path}: there is no such folder.{similar_name(path)}")
        if not _own_log(path).is_file():
            packed = is_bundle(path) or any(path.glob(f"*{SUFFIX}"))
            actual = "an archive, which is already packed" if packed else "none"
            folder = f"a tournament's folder (with {discovery.TOURNAMENT})"
            raise UsageError(f"{path}: expected {folder}, found {actual}.")
        if is_inside(archive, path):
            raise UsageError(f"{archive}: expected a path outside of the tournament {path}.")
        if folders.setdefault(path.name, path) != path:
            raise UsageError(
                f"{path} and {folders[path.name]} have the same name. Rename one of them."
            )
    return dict(sorted(folders.items()))


def _check_archive(archive: Path) -> None:
    if archive.exists() and not archive.is_dir():
        raise UsageError(f"{archive}: expected a folder for the archive, found a file.")
    if not is_encodable(str(archive)):
        raise UsageError(
            f"{path_text(archive)}: expected a path in UTF-8 for the archive, whose tables DuckDB "
            "writes, found other bytes. Work in the folder, or pack to another one."
        )
    names = [path.name for path in archive.iterdir()] if archive.exists() else []
    # An interrupted run may leave temporary files.
    names = [name for name in names if not (name.startswith(".") and name.endswith(".tmp"))]
    if names and not any(name.endswith(SUFFIX) for name in names):
        raise UsageError(f"{archive}: expected an archive or an empty folder, found other files.")


def _own_log(folder: Path) -> Path:
    """Return the path of the log of a contest or a tournament."""
    contest = folder / discovery.CONTEST
    return contest if contest.is_file() else folder / discovery.TOURNAMENT


def _check_sealed(folder: Path) -> None:
    try:
        reader.read(_own_log(folder))
    except reader.IncompleteLog as error:
        kind = error.log.kind if error.log else "tournament"
        remedy = "koth contest close" if kind == "contest" else "koth resume"
        problem = f"this {kind} is not sealed: {error}. `{remedy}` seals it."
        raise ArchiveError(f"{folder.name}: {problem}") from None


def _entries(folder: Path) -> list[Entry]:
    return [Entry.of(name, content) for name, content in _contents(folder)]


def _contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of the files to pack. Those of bots need not consist of lines.

    Raises UsageError, LogError and OSError.
    """
    for name, path in discovery.tournament_files(folder):
        if name.startswith(f"{discovery.BOTS}/"):
            with open_regular(path) as file:
                content = file.read(MAX_BOT_BYTES + 1)
            if len(content) > MAX_BOT_BYTES:
                most = f"expected up to {MAX_BOT_BYTES >> 20} MiB, as a bot has, found more"
                raise UsageError(f"{path}: {most}.")
            yield name, content
        else:
            yield name, read_log_bytes(path)


def _files(bundle: Bundle) -> list[Entry]:
    """Return the files of the tournament in a bundle."""
    return [entry for entry in bundle.entries if entry.file != vouched.LIST]
