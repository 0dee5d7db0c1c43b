"""A file whose errors of reading and writing name its path, as those of opening do."""

from __future__ import annotations

from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer


class NamedFile(FileIO):
    """The file at ``path``, open in a mode at a descriptor, which it closes at its end."""

    def __init__(self, descriptor: int, path: Path, mode: str = "r") -> None:
        super().__init__(descriptor, mode)
        self._path = path

    def readinto(self, buffer: Buffer, /) -> int | None:
        """Read into ``buffer``, and return the number of bytes. Raises OSError."""
        try:
            return super().readinto(buffer)
        except OSError as error:
            error.filename = str(self._path)
            raise

    def write(self, data: Buffer, /) -> int:
        """Write ``data``, and return the number of bytes written. Raises OSError."""
        try:
            return super().write(data)
        except OSError as error:
            error.filename = str(self._path)
            raise

    def close(self) -> None:
        """Close the file; some file systems report a failed write only then. Raises OSError."""
        try:
            super().close()
        except OSError as error:
            error.filename = str(self._path)
            raise

    def readall(self) -> bytes:
        """Return the rest of the file. Raises OSError."""
        try:
            return super().readall()
        except OSError as error:
            error.filename = str(self._path)
            raise
