"""Escape control characters in output to a terminal.

Names, answers and paths come from untrusted people. On a terminal, every non-printable character
(control characters, escapes, marks that reverse or hide text, lone surrogates) is written as a JSON
escape, except newlines and tabs. Files and pipes receive the text unchanged, except characters that
their encoding lacks.
"""

from __future__ import annotations

import codecs
import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast

PASSING = "\n\t"

ESCAPES = "koth_json_escapes"
"""The error handler of standard output: paths may not be UTF-8, and the locale may be ASCII."""


class _Escaping:
    """A text stream that escapes text and passes it on to another stream."""

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
    """Return an escaping stream if ``stream`` is a terminal, otherwise ``stream`` itself."""
    is_terminal = stream is not None and not stream.closed and stream.isatty()
    return cast(TextIO, _Escaping(stream)) if is_terminal else stream


@contextmanager
def escaping_both() -> Iterator[None]:
    """Escape what the block prints while a library has put its own streams before these."""
    with redirect_stdout(escaping(sys.stdout)), redirect_stderr(escaping(sys.stderr)):
        yield


def has_cursor(stream: TextIO) -> bool:
    """Return whether ``stream`` is a terminal that has colours and moves its cursor."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"  # such as a shell in Emacs


def raw(stream: TextIO) -> TextIO:
    """Return the stream that :func:`escaping` wraps, for colours and cursor movements."""
    return stream.stream if isinstance(stream, _Escaping) else stream


def escaped(text: str) -> str:
    """Return ``text`` with escapes for non-printable characters, except newlines and tabs."""
    return "".join(map(_escape, text)) if _is_unsafe(text) else text


def _is_unsafe(text: str) -> bool:
    return not text.translate(_WITHOUT_PASSING).isprintable()


def _escape(char: str) -> str:
    return char if char.isprintable() or char in PASSING else json.dumps(char)[1:-1]


def _encoded(error: UnicodeError) -> tuple[str, int]:
    """Return JSON escapes for characters that the encoding of a stream lacks."""
    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error(ESCAPES, _encoded)

_WITHOUT_PASSING = dict.fromkeys(map(ord, PASSING))
