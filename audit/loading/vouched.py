"""The Parquet files that a bundle vouches for: the SHA-256 of each, in the bundle, under its seal.

The list is the file ``parquet.json`` of the bundle, made by :func:`audit.archive.pack`:

    {"format":"koth-parquet/1","games":{"coup":{"shape":"…","files":{"answered":"<sha256>", …}}}}

A bundle of an older Koth has none. Then nothing vouches for the Parquet files beside it.
"""

from __future__ import annotations

import hashlib
import shutil
import stat
from collections.abc import Iterable
from glob import escape
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from schema.bundle import Bundle
from schema.errors import KothError

LIST = "parquet.json"
"""The name of the list in the bundle; no file of a tournament has it."""
FORMAT: Literal["koth-parquet/1"] = "koth-parquet/1"
PARQUET = "parquet"
"""The folder beside the bundles."""
OVERHEAD = 1 << 20
"""A Parquet file is at most this many bytes larger than all logs of its bundle."""

Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class GameTables(_Model):
    """The tables of one game."""

    shape: str
    """Their columns, and how they are made, as a hash."""
    files: dict[str, Digest]
    """The SHA-256 of each Parquet file, by the name of its table."""


class Vouched(_Model):
    """The Parquet files of one bundle."""

    format: Literal["koth-parquet/1"] = FORMAT
    games: dict[str, GameTables]


class NotVouched(KothError):
    """The bundle does not vouch for a Parquet file beside it; the text says which and why."""


def read(bundle: Bundle) -> Vouched:
    """The files that a bundle vouches for.

    Raises NotVouched when it vouches for none, or in a way that this Koth does not know.
    """
    if LIST not in bundle:
        raise NotVouched("the bundle vouches for no Parquet file")
    try:
        found = Vouched.model_validate_json(bundle.read(LIST))
    except ValidationError:
        raise NotVouched(f"{LIST} in the bundle was made by another Koth") from None
    if not found.games:
        raise NotVouched("the bundle vouches for no Parquet file")
    return found


def path(bundle: Bundle, table: str, game: str) -> Path:
    """The path of the part of a table that is of one game and one bundle."""
    return bundle.path.parent / PARQUET / table / f"game={game}" / f"{bundle.name}.parquet"


def exist(bundle: Bundle) -> bool:
    """Whether there is a Parquet file of this bundle, vouched for or not."""
    found = (bundle.path.parent / PARQUET).glob(f"*/*/{escape(bundle.name)}.parquet")
    return next(found, None) is not None


def copy(bundle: Bundle, game: str, tables: Iterable[str], target: Path) -> None:
    """Copy the Parquet files of these tables into the folder ``target``, and check the copies.

    So what was checked is what is read later. Raises NotVouched.
    """
    digests = read(bundle).games[game].files
    target.mkdir(parents=True)
    for table in tables:
        source, copied = _source(bundle, table, game), target / f"{table}.parquet"
        try:
            shutil.copyfile(source, copied)
        except OSError as error:
            raise NotVouched(f"{source} cannot be read: {error.strerror}") from None
        _check(source, copied, digests.get(table))


def check(bundle: Bundle, game: str, tables: Iterable[str]) -> None:
    """Check the Parquet files of these tables where they are. Raises NotVouched."""
    digests = read(bundle).games[game].files
    for table in tables:
        source = _source(bundle, table, game)
        _check(source, source, digests.get(table))


def _source(bundle: Bundle, table: str, game: str) -> Path:
    """The path of a Parquet file that may be one of the bundle's. Raises NotVouched."""
    source = path(bundle, table, game)
    most = sum(entry.size for entry in bundle.entries) + OVERHEAD
    try:
        found = source.lstat()
    except OSError as error:
        raise NotVouched(f"{source} cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(found.st_mode) or found.st_size > most:
        raise NotVouched(f"{source} is no Parquet file of this bundle")
    return source


def _check(source: Path, file: Path, expected: str | None) -> None:
    if digest(file) != expected:
        raise NotVouched(f"{source} is not the file that the bundle vouches for")


def digest(path: Path) -> str:
    """The SHA-256 of a file as hex digits. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
