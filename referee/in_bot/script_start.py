"""Give a script what an interpreter would give it before it starts.

This module imports few modules, and none of Koth, because a bot's interpreter loads it.
"""

from __future__ import annotations

import _imp
import os
import sys
from _signal import (  # type: ignore[import-not-found] # signal loads much more
    SIG_DFL,
    SIG_IGN,
    SIG_SETMASK,
    SIGINT,
    SIGPIPE,
    SIGXFSZ,
    default_int_handler,
    getsignal,
    pthread_sigmask,
    signal,
    valid_signals,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any


def reset_signals() -> None:
    """Handle each signal as an ordinary interpreter does, if the referee ignores or blocks it."""
    pthread_sigmask(SIG_SETMASK, ())
    for number in valid_signals() - {SIGPIPE, SIGXFSZ}:
        if getsignal(number) == SIG_IGN:
            signal(number, default_int_handler if number == SIGINT else SIG_DFL)


def find(folder: str, script: str, source: bytes, shadowable: set[str]) -> str | None:
    """Enter ``folder`` and return the script's path there, or None if it must run as a command.

    That is so if the file changed, is a link, or if a file hides a module in ``shadowable``.
    """
    try:
        os.chdir(folder)
        path = f"{os.getcwd()}/{script}"  # noqa: PTH109
        if "/" in script and os.path.realpath(path) != path:
            return None
        for name in os.listdir(path.rpartition("/")[0]):  # noqa: PTH208
            if name.partition(".")[0] in shadowable:
                return None
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        content = os.pread(descriptor, len(source) + 1, 0)  # fails on a pipe
        os.close(descriptor)
    except OSError:
        return None
    return path if content == source else None


def name_script(code: CodeType, names: dict[str, Any], path: str, words: list[str]) -> None:
    """Make the script's path and its command line visible to it, as an interpreter does."""
    sys.argv = words
    sys.orig_argv[1:] = words
    sys.path[0] = path.rpartition("/")[0]
    _imp._fix_co_filename(code, path)  # type: ignore[attr-defined]
    names["__file__"] = names["__loader__"].path = path
    sys.path_importer_cache[path] = None  # an interpreter checks whether the script is a package


def reopen_stdin() -> None:
    """Open standard input as an interpreter does; the server opened a file with a position."""
    given = sys.__stdin__
    assert given is not None
    raw = open(0, "rb", closefd=False)  # noqa: SIM115
    raw.raw.name = given.name  # type: ignore[attr-defined]
    stdin = type(given)(raw, given.encoding, given.errors, "\n")
    stdin.mode = "r"  # type: ignore[misc]
    sys.stdin = sys.__stdin__ = stdin  # type: ignore[misc]
