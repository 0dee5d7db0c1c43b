"""Errors of the system, which say nothing about the file that they name."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from schema.errors import LogError

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of writing to a disk, a quota or a file that is full."""

EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)
"""Errors of a system without descriptors or memory, which say nothing about a file."""

SYSTEM = (*EXHAUSTED, errno.EIO)
"""``EXHAUSTED``, and the error of a disk that fails."""

UNREADABLE = (errno.EIO, errno.ESTALE, errno.EACCES)
"""Errors of a disk that fails, a file server that does not answer, and a missing permission."""


def raise_exhaustion(error: Exception) -> None:
    """Raise ``error`` if the system lacks descriptors or memory.

    A log that the disk does not give is ``corrupt`` instead: the other logs have their verdicts.
    """
    if isinstance(error, OSError) and error.errno in EXHAUSTED:
        raise error


def is_unreadable(error: Exception) -> bool:
    """Return whether a file may be as it was, and only cannot be read here."""
    return isinstance(error, OSError) and error.errno in UNREADABLE


@contextmanager
def leaving_out_unreadable() -> Iterator[None]:
    """End the block at a file that cannot be read, except for lack of descriptors or memory."""
    try:
        yield
    except (OSError, LogError) as error:
        raise_exhaustion(error)


def raise_system_error(error: Exception) -> None:
    """Raise ``error`` if the disk failed, or the system lacks descriptors or memory."""
    if isinstance(error, OSError) and error.errno in SYSTEM:
        raise error
