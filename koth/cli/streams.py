"""Prepares standard input, output and error for a command."""

from __future__ import annotations

import os
import sys
from typing import Any

from koth.cli import pipe, terminal


def prepare() -> None:
    """Open the streams that are closed, and make output safe for pipes and terminals."""
    _open_closed()
    if sys.platform == "win32":
        streams: list[Any] = [sys.stdout, sys.stderr]
        for stream in streams:  # a file or a pipe gets the bytes of other systems
            stream.reconfigure(encoding="utf-8", newline=None if stream.isatty() else "\n")
    output: Any = sys.stdout
    output.reconfigure(errors=terminal.ESCAPES)
    sys.stdout, sys.stderr = map(pipe.unbroken, (sys.stdout, sys.stderr))
    sys.stdout, sys.stderr = map(terminal.escaping, (sys.stdout, sys.stderr))


def _open_closed() -> None:
    """Open ``/dev/null`` for each standard stream that is closed (``koth games >&-``).

    Otherwise the next opened file, such as a log, would become standard output.
    """
    for name, mode in ("stdin", "r"), ("stdout", "w"), ("stderr", "w"):
        if getattr(sys, name) is None:  # a new file gets the lowest free descriptor
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115
