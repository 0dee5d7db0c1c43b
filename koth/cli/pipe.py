"""Output to a program that may stop reading, such as ``koth verify spring | head``.

The command goes on without a reader: its exit code is about all logs, and a tournament must not
stop.
"""

from __future__ import annotations

import os
import stat
from io import BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from koth.cli.output import stdout

if TYPE_CHECKING:
    from typing_extensions import Buffer


class _Pipe(FileIO):
    """A pipe that drops what is written after its reader has left."""

    has_reader = True

    def write(self, data: Buffer, /) -> int:
        """Write ``data``, to nowhere without a reader."""
        try:
            return super().write(data)
        except BrokenPipeError:
            self.has_reader = False
            discard(self)
            return super().write(data)


def unbroken(stream: TextIO) -> TextIO:
    """Return a stream to the same pipe that outlives its reader; any other stream itself."""
    if stream is None or stream.closed or not _is_pipe(stream):
        return stream
    pipe = _Pipe(stream.fileno(), "w", closefd=False)
    is_unbuffered = isinstance(stream.buffer, FileIO)  # PYTHONUNBUFFERED
    return TextIOWrapper(
        pipe if is_unbuffered else BufferedWriter(pipe),
        stream.encoding,
        stream.errors,
        "\n",
        line_buffering=bool(stream.line_buffering),
        write_through=is_unbuffered,
    )


def reader_left() -> bool:
    """Return whether standard output is a pipe whose reader has left; known after a flush."""
    buffer = getattr(stdout(), "buffer", None)
    raw = getattr(buffer, "raw", buffer)
    return isinstance(raw, _Pipe) and not raw.has_reader


def discard(stream: TextIO | FileIO) -> None:
    """Redirect a stream to ``/dev/null``."""
    with Path(os.devnull).open("w") as null:
        os.dup2(null.fileno(), stream.fileno())


def _is_pipe(stream: TextIO) -> bool:
    try:
        mode = os.fstat(stream.fileno()).st_mode
    except (OSError, ValueError):  # it has no descriptor
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
