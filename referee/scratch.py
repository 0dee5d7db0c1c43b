"""Scratch folders: made fresh, and removed whatever a bot did to them.

They are made in memory where the system has room for that and TMPDIR names no other place: on a
disk, to forget a folder can take longer than a decision.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MEMORY = "/dev/shm"
ROOM = 1 << 30
"""Bytes that must be free there."""


def place() -> str:
    """The folder in which scratch folders are made."""
    usual = tempfile.gettempdir()
    if usual == "/tmp" and os.access(MEMORY, os.W_OK):
        found = os.statvfs(MEMORY)
        if found.f_bavail * found.f_frsize >= ROOM and not found.f_flag & os.ST_NOEXEC:
            return MEMORY
    return usual


@contextmanager
def folder() -> Iterator[Path]:
    """A new folder under a name that nobody can guess, removed at the end of the block."""
    path = Path(tempfile.mkdtemp(prefix="koth-", dir=place()))
    try:
        yield path
    finally:
        try:
            remove(path)
        except BaseException:  # an interrupt, in the middle of it
            remove(path)
            raise


@contextmanager
def held(path: Path) -> Iterator[int]:
    """A folder, open: whatever takes its place, this is still the one."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def remove(path: Path) -> None:
    """Remove a folder with all that is in it; what cannot be removed stays, without an error.

    Folders nested too deeply for Python, or forbidden to their owner, are left to coreutils.
    """
    try:
        shutil.rmtree(path)
    except (OSError, RecursionError):
        for command in ("chmod", "-R", "u+rwx"), ("rm", "-rf"):
            subprocess.run([*command, "--", path], stderr=subprocess.DEVNULL, check=False)
