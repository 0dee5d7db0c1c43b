"""Create scratch folders, and remove them at the end as far as that is possible."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from referee.environment import temporary_folder
from referee.errors import RefereeError, check_resources
from referee.kept_folder import kept_folder
from schema.files import SAFELY, lock

PREFIX = "koth-plain-"
"""Another one than on Linux, where folders that no process holds locked are removed."""

LOCK = ".koth-lock"
"""The end of the name of the file beside a kept folder that its user holds locked."""


@contextmanager
def folder() -> Iterator[Path]:
    """Create a folder, and remove it at the end of the block.

    Raises RefereeError if it cannot be created.
    """
    with writing(temporary_folder()):
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


def kept(path: Path) -> AbstractContextManager[Path]:
    """Keep the content of a folder until the next use: see :func:`kept_folder`."""
    return kept_folder(path, _emptied)


@contextmanager
def _emptied(path: Path) -> Iterator[bool]:
    """Lock and empty a folder. Yield False if another process has locked it."""
    holder = os.open(path.with_name(path.name + LOCK), os.O_CREAT | os.O_RDWR | SAFELY)
    try:
        if is_ours := lock(holder):
            for entry in path.iterdir():
                is_folder = entry.is_dir() and not entry.is_symlink()
                shutil.rmtree(entry) if is_folder else entry.unlink()
        yield is_ours
    finally:
        os.close(holder)
