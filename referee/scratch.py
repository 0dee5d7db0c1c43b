"""Scratch folders: made fresh, and removed whatever a bot did to them."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def folder() -> Iterator[Path]:
    """A new folder under a name that nobody can guess, removed at the end of the block."""
    path = Path(tempfile.mkdtemp(prefix="koth-"))
    try:
        yield path
    finally:
        try:
            remove(path)
        except BaseException:  # an interrupt, in the middle of it
            remove(path)
            raise


def remove(path: Path) -> None:
    """Remove a folder with all that is in it; what cannot be removed stays, without an error.

    Folders nested too deeply for Python, or forbidden to their owner, are left to coreutils.
    """
    try:
        shutil.rmtree(path)
    except (OSError, RecursionError):
        for command in ("chmod", "-R", "u+rwx"), ("rm", "-rf"):
            subprocess.run([*command, "--", path], stderr=subprocess.DEVNULL, check=False)
