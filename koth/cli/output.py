"""Standard output, which is the command's own, and messages on standard error.

While a command runs, ``sys.stdout`` leads to standard error: code of a game's package may print, or
close its standard output, without a change to the rows or the JSON that the command prints.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TextIO, cast

from schema.log_path import printable

_own: TextIO | None = None
"""Standard output of the command that runs."""


class _Aside(io.TextIOBase):
    """A text stream to standard error, which stays open when this one is closed."""

    def isatty(self) -> bool:
        """Return whether standard error is a terminal."""
        return sys.stderr.isatty()

    def write(self, text: str, /) -> int:
        """Write ``text`` to standard error."""
        return sys.stderr.write(text)


@contextmanager
def reserved() -> Iterator[None]:
    """Reserve standard output for :func:`say` and :func:`stdout` in the block."""
    global _own
    outer, _own = _own, sys.stdout
    try:
        with redirect_stdout(cast(TextIO, _Aside())):
            yield
    finally:
        _own = outer


def stdout() -> TextIO:
    """Return standard output."""
    return _own or sys.stdout


def say(*values: object, sep: str = " ", end: str = "\n", flush: bool = False) -> None:
    """Print ``values`` to standard output."""
    print(*values, sep=sep, end=end, file=stdout(), flush=flush)


def note(sentence: str) -> None:
    """Print a sentence as one line on standard error, whatever the names and paths in it."""
    print(f"koth: {printable(sentence)}", file=sys.stderr)
