"""The list in a bundle of its Parquet files and their SHA-256 hashes.

The list is the file ``parquet.json`` of the bundle, written by :func:`audit.archive.pack`:

    {"format":"koth-parquet/1","games":{"coup":{"shape":"…","files":{"answered":"<sha256>", …}}}}

A bundle of an older version of Koth has no list. Then its Parquet files are not read.
"""

from __future__ import annotations

import shutil
import stat
from collections.abc import Iterable
from glob import escape
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from schema.bundle import Bundle
from schema.errors import KothError
from schema.files import file_hash

LIST = "parquet.json"
"""The file name of the list in the bundle; no file of a tournament has this name."""
FORMAT: Literal["koth-parquet/1"] = "koth-parquet/1"
PARQUET = "parquet"
"""The folder beside the bundles."""
OVERHEAD = 1 << 20
"""Maximum bytes by which a Parquet file may exceed all logs of its bundle."""

Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class GameTables(_Model):
    """The tables of one game."""

    shape: str
    """A hash over their columns and the SQL that makes them."""
    files: dict[str, Digest]
    """The SHA-256 of each Parquet file, by the name of its table."""


class Vouched(_Model):
    """The list of the Parquet files of one bundle."""

    format: Literal["koth-parquet/1"] = FORMAT
    games: dict[str, GameTables]


class NotVouched(KothError):
    """Raised when a bundle does not vouch for a Parquet file beside it."""


def read(bundle: Bundle) -> Vouched:
    """Return the list in a bundle. Raises NotVouched if it is missing, empty or not valid."""
    if LIST not in bundle:
        raise NotVouched("the bundle vouches for no Parquet file")
    try:
        listed = Vouched.model_validate_json(bundle.read(LIST))
    except ValidationError:
        raise NotVouched(f"{LIST} in the bundle was made by another version of Koth") from None
    if not listed.games:
        raise NotVouched("the bundle vouches for no Parquet file")
    return listed


def path(bundle: Bundle, table: str, game: str) -> Path:
    """Return the path of the Parquet file with one table of one game in one bundle."""
    return bundle.path.parent / PARQUET / table / f"game={game}" / f"{bundle.name}.parquet"


def exist(bundle: Bundle) -> bool:
    """Return whether a Parquet file of this bundle exists, valid or not."""
    files = (bundle.path.parent / PARQUET).glob(f"*/*/{escape(bundle.name)}.parquet")
    return next(files, None) is not None


def copy(
    bundle: Bundle, game: str, listed: GameTables, tables: Iterable[str], target: Path
) -> None:
    """Copy the Parquet files of these tables into the folder ``target`` and check the copies.

    The copies cannot change between the check and the read. Raises NotVouched.
    """
    target.mkdir(parents=True)
    for table in tables:
        source, copied = _source(bundle, table, game), target / f"{table}.parquet"
        try:
            shutil.copyfile(source, copied)
        except OSError as error:
            raise NotVouched(f"{source} cannot be read: {error.strerror}") from None
        _check(source, copied, listed.files.get(table))


def check(bundle: Bundle, game: str, listed: GameTables, tables: Iterable[str]) -> None:
    """Check the Parquet files of these tables in place. Raises NotVouched."""
    for table in tables:
        source = _source(bundle, table, game)
        _check(source, source, listed.files.get(table))


def _source(bundle: Bundle, table: str, game: str) -> Path:
    """Return the path of a regular file of plausible size. Raises NotVouched."""
    source = path(bundle, table, game)
    max_size = sum(entry.size for entry in bundle.entries) + OVERHEAD
    try:
        status = source.lstat()
    except OSError as error:
        raise NotVouched(f"{source} cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(status.st_mode) or status.st_size > max_size:
        raise NotVouched(f"{source} is not a Parquet file of this bundle")
    return source


def _check(source: Path, file: Path, expected: str | None) -> None:
    if file_hash(file) != expected:
        raise NotVouched(f"{source} is not the file that the bundle vouches for")
