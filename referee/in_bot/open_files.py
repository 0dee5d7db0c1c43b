"""Give each fork of a fork server files of its own, where loaded modules keep files open.

In many systems libffi, which _ctypes loads, keeps its own file open, or one in memory. Forks that
share it would see where another one left its offset, and what it wrote.

This module imports few modules, and none of Koth, because a bot's interpreter loads it.
"""

from __future__ import annotations

import os
from stat import S_ISREG

MOST = 64
"""Descriptors from this number on are not looked at: an interpreter that starts opens few."""


def of_modules(others: set[int]) -> list[int]:
    """Return the descriptors of files that loaded modules keep open, except ``others``."""
    return [number for number in range(3, MOST) if number not in others and _is_file(number)]


def renew(descriptors: list[int]) -> None:
    """In a fork, replace inherited files by others with the same content."""
    for descriptor in descriptors:
        shared = os.fstat(descriptor)
        own = _opened_again(descriptor) if shared.st_nlink else None
        if own is None:
            own = os.memfd_create("libffi")
            os.sendfile(own, descriptor, 0, shared.st_size)
        os.dup2(own, descriptor, inheritable=False)
        os.close(own)


def _is_file(number: int) -> bool:
    try:
        return S_ISREG(os.fstat(number).st_mode)
    except OSError:
        return False


def _opened_again(descriptor: int) -> int | None:
    try:
        return os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:  # this sandbox has no /proc
        return None
