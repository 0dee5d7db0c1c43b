"""Paths of logs, on disk or in a bundle."""

from __future__ import annotations

import sys
from shlex import quote
from typing import IO, Literal, Protocol, Self


def path_text(path: LogPath | str) -> str:
    """Return a path as text, with slashes, and with bytes that are not UTF-8 escaped."""
    text = str(path).replace("\\", "/") if sys.platform == "win32" else str(path)
    return text.encode(errors="backslashreplace").decode()


def shell_word(path: LogPath | str) -> str:
    """Return a path as one word of a shell; ``./`` keeps one with a dash from being an option."""
    text = path_text(path)
    text = f"./{text}" if text.startswith("-") else text
    word = quote(text)
    if sys.platform == "win32" and word != text:  # its shells know double quotes only
        return '"' + text.replace('"', r"\"") + '"'
    return word


def is_encodable(text: str) -> bool:
    """Return whether UTF-8 has this text: no half surrogate pair, and no other bytes (PEP 383)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def printable(text: str) -> str:
    """Return ``text`` in one line, with control characters of a terminal escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


class LogPath(Protocol):
    """The part of ``pathlib.Path`` that reading logs needs; every ``Path`` is a LogPath.

    Equal paths lead to the same file or folder. ``str`` gives a path that commands accept.
    """

    @property
    def name(self) -> str:
        """The last part of the path."""
        ...

    @property
    def parent(self) -> Self:
        """The folder that contains it."""
        ...

    def __truediv__(self, name: str, /) -> Self: ...

    def exists(self) -> bool:
        """Return whether it is a file or folder."""
        ...

    def is_dir(self) -> bool:
        """Return whether it is a folder."""
        ...

    def open(self, mode: Literal["rb"], /) -> IO[bytes]:
        """Open the file at its beginning. Raises OSError."""
        ...

    def read_bytes(self) -> bytes:
        """Return the whole file. Raises OSError, and CorruptLog if its bundle is damaged."""
        ...
