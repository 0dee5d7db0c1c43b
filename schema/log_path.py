"""Where a file lies: on disk, or in a bundle."""

from __future__ import annotations

from typing import IO, Literal, Protocol, Self


def path_text(path: LogPath | str) -> str:
    """A path as text, although it may not be UTF-8."""
    return str(path).encode(errors="backslashreplace").decode()


def printable(text: str) -> str:
    """``text`` in one line, with nothing in it that a terminal would obey."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


class LogPath(Protocol):
    """A file or folder: as much of ``pathlib.Path`` as logs need, so that every ``Path`` is one.

    Two are equal when they are the same place; ``str`` is what a person would type.
    """

    @property
    def name(self) -> str:
        """The last part."""
        ...

    @property
    def parent(self) -> Self:
        """The folder that it lies in."""
        ...

    def __truediv__(self, name: str, /) -> Self: ...

    def exists(self) -> bool:
        """Whether there is a file or folder."""
        ...

    def is_dir(self) -> bool:
        """Whether there is a folder."""
        ...

    def open(self, mode: Literal["rb"], /) -> IO[bytes]:
        """The file, to be read from its beginning. Raises OSError."""
        ...

    def read_bytes(self) -> bytes:
        """All of the file. Raises OSError, and CorruptLog when it lies in a damaged bundle."""
        ...
