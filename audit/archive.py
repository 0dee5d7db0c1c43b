"""Archives: folders of bundles, with the tables of each bundle as Parquet beside them.

    archive/
      spring.jsonl.zst                                  all that is known of a tournament
      parquet/matches/game=coup/spring.parquet          its part of a table, made from the bundle

The bundles are the truth. The tables say by the seal in their metadata which bundle they are of,
and are made again where they are missing or of another.
"""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from audit.columns import quoted
from audit.errors import AuditError
from audit.tables import SQL, Database, models_of, open_database, table_prefix
from schema import folder, reader, registry
from schema.bundle import SUFFIX, Bundle, Entry, extract, is_bundle, replacing, write
from schema.errors import KothError, NothingToDo, UsageError
from schema.mapper import Mapper, serial

PARQUET = "parquet"
LEFT_OUT = ("answers", "evidence")
"""Tables that are not written: all answers stand in others, evidence is not checked."""
MARK = "logs"
"""The table that is written last: where it is there, all are."""
OWN = ("bundle", "game")
"""Columns that say where a row is from; a field of an event with such a name gets a ``_``."""
KEY = ("log", "seq", "seat", "entrant", "place", "path")
"""Columns that give the rows of every table one order, so that its bytes are always the same."""
ROWS = 1_000_000
"""The rows of a row group: of many, the largest part of the tables becomes 2 % smaller."""


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
        return len(self.bundle.entries)

    @property
    def size(self) -> int:
        """Their size in bytes."""
        return sum(entry.size for entry in self.bundle.entries)

    @property
    def packed(self) -> int:
        """The size of the bundle in bytes."""
        return self.bundle.path.stat().st_size


def pack(tournaments: Iterable[Path], archive: Path, each: Mapper = serial) -> list[Packed]:
    """Put tournaments into an archive, which is made if need be; all its bundles by name.

    What is there already stays as it is; tables are made where they are missing. ``each`` is what
    the logs are read with. Nothing is written unless all can be packed. Raises UsageError,
    ArchiveError for a tournament without a seal, and LogError for what is damaged.
    """
    named = _named([path.resolve() for path in tournaments], archive)
    _check_archive(archive)
    there = {bundle.name: bundle for bundle in bundles(archive)} if archive.exists() else {}
    for name, path in named.items():
        _check_sealed(path)
        if name in there and _entries(path) != there[name].entries:
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
            write(((file, at.read_bytes()) for file, at in folder.contents(path)), target)
    done = [Packed(bundle, bundle.name not in there) for bundle in bundles(archive)]
    for one in done:
        if not _has_tables(one.bundle):
            write_tables(one.bundle, each)
    return done


def unpack(archive: Path, target: Path) -> list[str]:
    """Write the tournaments of an archive, or of one bundle, into ``target``; their names.

    Nothing is left in ``target`` unless all of them are. Raises NothingToDo when there is no
    bundle, UsageError when a folder is there already, and CorruptLog for a damaged bundle.
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
    with TemporaryDirectory(dir=target.parent, prefix=".unpack-") as temporary:
        for one in found:
            extract(one, Path(temporary) / one.name)
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


def write_tables(bundle: Bundle, each: Mapper = serial) -> None:
    """Write the tables of a bundle beside it as Parquet, all of them or none.

    A table is what ``koth sql`` shows of the bundle alone, so ``log`` counts from 0 in each bundle.
    """
    game = reader.read(bundle.root / folder.TOURNAMENT).card.name
    with open_database([bundle.path], bare=True, each=each) as database, ExitStack() as stack:
        queries = dict(_queries(database, bundle, game))
        for path in sorted(queries, key=lambda path: path != _path(bundle, MARK, game)):
            path.parent.mkdir(parents=True, exist_ok=True)
            # They are renamed in the reverse order.
            temporary = stack.enter_context(replacing(path))
            _copy(database, queries[path], temporary, bundle.digest)


def _copy(database: Database, query: str, path: Path, digest: str) -> None:
    try:
        database.connection.execute(
            f"COPY ({query}) TO {_text(path)} (FORMAT parquet, COMPRESSION zstd, "
            f"ROW_GROUP_SIZE {ROWS}, KV_METADATA {{bundle: '{digest}'}})"
        )
    except duckdb.Error as error:
        raise AuditError(f"{path}: this table cannot be written: {error}") from error


def _queries(database: Database, bundle: Bundle, own: str) -> Iterator[tuple[Path, str]]:
    """Every table, by where it goes; rows without a game go to that of the tournament."""
    shared = {path.stem for path in (SQL / "tables").glob("*.sql")}.difference(LEFT_OUT)
    inside = {"path": f"substr(path, {len(str(bundle.path)) + 2}) AS path", "game": ""}
    renamed = {name: f"{name} AS {name}_" for name in OWN}
    for game in database.games:
        for table in sorted(shared):
            types = _types(database, table)
            rows = f"game = {_text(game)}" if "game" in types else str(game == own).lower()
            yield _path(bundle, table, game), _select(bundle, table, types, inside, rows)
        for model in models_of(registry.card(game)):
            table = f"{table_prefix(game)}_{model.type}"
            types = _types(database, table)
            yield _path(bundle, table, game), _select(bundle, table, types, renamed)


def _select(
    bundle: Bundle,
    table: str,
    types: Mapping[str, str],
    special: Mapping[str, str],
    rows: str = "true",
) -> str:
    """The rows of a table in one order: the bundle's name, then its columns, but the ``special``.

    What is JSON becomes text, which all engines know.
    """
    plain = {
        name: f"{quoted(name)}::{type.replace('JSON', 'VARCHAR')} AS {quoted(name)}"
        for name, type in types.items()
    }
    columns = ", ".join(filter(None, ({**plain, **special}[name] for name in types)))
    order = ", ".join(name for name in KEY if name in types)
    return (
        f"SELECT {_text(bundle.name)} AS bundle, {columns} "
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


def _path(bundle: Bundle, table: str, game: str) -> Path:
    return bundle.path.parent / PARQUET / table / f"game={game}" / f"{bundle.name}.parquet"


def _has_tables(bundle: Bundle) -> bool:
    """Whether the tables beside a bundle are made from it."""
    marks = _path(bundle, MARK, "*").parent.parent.glob(f"*/{glob.escape(bundle.name)}.parquet")
    with duckdb.connect() as connection:
        return any(
            (b"bundle", bundle.digest.encode())
            in connection.execute(
                "SELECT key, value FROM parquet_kv_metadata(?)", [glob.escape(str(path))]
            ).fetchall()
            for path in marks
        )


def _named(paths: Sequence[Path], archive: Path) -> dict[str, Path]:
    """Tournaments by the names of their folders, sorted. Raises UsageError."""
    named: dict[str, Path] = {}
    for path in paths:
        if not path.name.isprintable():
            raise UsageError(f"{str(path)!r}: expected a printable name. Rename the folder.")
        if not path.exists():
            raise UsageError(f"{path}: there is no such folder.")
        if not (path / folder.TOURNAMENT).is_file():
            packed = is_bundle(path) or (path.is_dir() and any(path.glob(f"*{SUFFIX}")))
            found = "an archive, which is packed already" if packed else "none"
            raise UsageError(
                f"{path}: expected a tournament's folder (with {folder.TOURNAMENT}), found {found}."
            )
        if archive.resolve().is_relative_to(path):
            raise UsageError(f"{archive}: an archive cannot lie in a tournament that it holds.")
        if named.setdefault(path.name, path) != path:
            raise UsageError(f"{path} and {named[path.name]} have one name. Rename one of them.")
    return dict(sorted(named.items()))


def _check_archive(archive: Path) -> None:
    if archive.exists() and not archive.is_dir():
        raise UsageError(f"{archive}: expected a folder for the archive, found a file.")
    if archive.exists() and any(archive.iterdir()) and not any(archive.glob(f"*{SUFFIX}")):
        raise UsageError(f"{archive}: expected an archive or an empty folder, found other things.")


def _check_sealed(path: Path) -> None:
    try:
        reader.read(path / folder.TOURNAMENT)
    except reader.IncompleteLog as error:
        raise ArchiveError(f"{path.name}: this tournament is not sealed: {error}.") from None


def _entries(path: Path) -> list[Entry]:
    return [Entry.of(name, at.read_bytes()) for name, at in folder.contents(path)]


def _text(value: object) -> str:
    """A text as an SQL literal."""
    return "'" + str(value).replace("'", "''") + "'"
