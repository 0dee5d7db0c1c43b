"""A folder whose content is kept until its next use, by one process at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import count
from pathlib import Path

from schema.errors import KothError, UsageError
from schema.system_errors import FULL, SYSTEM


@contextmanager
def kept_folder(
    path: Path, emptied: Callable[[Path], AbstractContextManager[bool]]
) -> Iterator[Path]:
    """Yield the empty folder ``path``, whose content is kept until the next use.

    While another process uses it, ``path-2`` or a later number takes its place. ``emptied`` locks
    and empties a folder, or yields False if another process has locked it. Raises UsageError if
    the folder cannot be made or locked, and KothError if the disk is full or fails.
    """
    for number in count(1):
        candidate = path if number == 1 else path.with_name(f"{path.name}-{number}")
        with ExitStack() as stack:
            try:
                candidate.mkdir(parents=True, exist_ok=True)
                is_ours = stack.enter_context(emptied(candidate))
            except OSError as error:
                problem = f"{candidate}: cannot be used for matches: {error.strerror}"
                kind = KothError if error.errno in FULL + SYSTEM else UsageError
                raise kind(f"{problem}. Name another folder with -o.") from None
            if is_ours:
                yield candidate
                return
