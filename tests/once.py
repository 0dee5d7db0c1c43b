"""Folders that one of the processes of a test run fills for all of them."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Callable
from pathlib import Path

MadeOnce = Callable[[str, Callable[[Path], object]], Path]
"""Returns the folder of a name. Before the first use, the given function fills it."""


def made_in(base: Path) -> MadeOnce:
    """Return a maker of folders in ``base``, which all processes of a test run share.

    Tests only read such a folder; what they change, they copy.
    """

    def make(name: str, fill: Callable[[Path], object]) -> Path:
        folder, done = base / f"once-{name}", base / f"once-{name}.done"
        with (base / f"once-{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                fill(folder)
                done.touch()
        return folder

    return make
