"""Create scratch folders, and remove them at the end as far as that is possible."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from referee.errors import RefereeError, check_resources
from schema.errors import UsageError
from schema.files import SAFELY, lock

PREFIX = "koth-scratch-"
LOCK = ".koth-lock"
"""The end of the name of the file beside a kept folder that its user holds locked."""


@contextmanager
def folder() -> Iterator[Path]:
    """Create a folder, and remove it at the end of the block.

    Raises RefereeError if it cannot be created.
    """
    with writing(tempfile.gettempdir()):
        path = Path(tempfile.mkdtemp(prefix=PREFIX)).resolve()
    try:
        yield path
    finally:
        remove(path)


def remove(path: Path) -> None:
    """Remove a folder; what cannot be removed stays."""
    shutil.rmtree(path, ignore_errors=True)


@contextmanager
def writing(where: Path | str) -> Iterator[None]:
    """Raise RefereeError if files for bots cannot be written in the block."""
    try:
        yield
    except OSError as error:
        check_resources(error, str(where))
        problem = f"{error.filename or where}: no files for bots can be written"
        raise RefereeError(f"{problem}: {error.strerror}.") from error


@contextmanager
def kept(path: Path) -> Iterator[Path]:
    """Yield the empty folder ``path``, whose content is kept until the next use.

    While another process uses it, ``path-2`` or a later number takes its place. Raises UsageError
    if it cannot be made.
    """
    for number in count(1):
        candidate = path if number == 1 else path.with_name(f"{path.name}-{number}")
        try:
            candidate.mkdir(parents=True, exist_ok=True)
            lock_file = candidate.with_name(candidate.name + LOCK)
            holder = os.open(lock_file, os.O_CREAT | os.O_RDWR | SAFELY)
            try:
                if not lock(holder):
                    continue
                for entry in candidate.iterdir():
                    shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
                yield candidate
                return
            finally:
                os.close(holder)
        except OSError as error:
            problem = f"{candidate}: cannot be used for matches: {error.strerror}"
            raise UsageError(f"{problem}. Name another folder with -o.") from None
