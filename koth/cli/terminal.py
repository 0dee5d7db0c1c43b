"""Standard output and standard error, so that a terminal obeys nothing in what is printed on it.

Names, answers and paths come from strangers. On a terminal every character that is not printable
(control characters, escapes, marks that reverse or hide text, half surrogate pairs) is written as
JSON would escape it; only ends of lines and tabs pass. What is not a terminal gets the text as it
is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TextIO, cast

PASSING = "\n\t"


class _Escaping:
    """A stream that escapes what is written to it, and is otherwise the one that it writes to."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write ``text``, escaped."""
        self.stream.write(escaped(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write ``lines``, escaped."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def escaping(stream: TextIO) -> TextIO:
    """``stream`` with all that is printed to it escaped, if it is a terminal; else as it is."""
    is_terminal = stream is not None and not stream.closed and stream.isatty()
    return cast(TextIO, _Escaping(stream)) if is_terminal else stream


def raw(stream: TextIO) -> TextIO:
    """The stream behind :func:`escaping`, for the colours and cursor movements of Koth itself."""
    return stream.stream if isinstance(stream, _Escaping) else stream


def escaped(text: str) -> str:
    """``text`` with all escaped that is not printable, but ends of lines and tabs."""
    return "".join(map(_escape, text)) if _is_unsafe(text) else text


def _is_unsafe(text: str) -> bool:
    return not text.translate(_WITHOUT_PASSING).isprintable()


def _escape(char: str) -> str:
    return char if char.isprintable() or char in PASSING else json.dumps(char)[1:-1]


_WITHOUT_PASSING = dict.fromkeys(map(ord, PASSING))
