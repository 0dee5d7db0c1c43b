"""Output to a program that may stop reading, such as ``koth verify spring | head``, or to a file.

The command goes on without a reader: its exit code is about all logs, and a tournament must not
stop. An error of a file, such as a full disk, names the stream.
"""

from __future__ import annotations

import errno
import os
from io import BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from koth.cli.output import stdout

if TYPE_CHECKING:
    from typing_extensions import Buffer


class _Output(FileIO):
    """A pipe that drops what is written after its reader has left, or a file."""

    has_reader = True

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream.fileno(), "w", closefd=False)
        self._stream = stream  # it closes the descriptor when it is collected

    def write(self, data: Buffer, /) -> int:
        """Write all of ``data``, to nowhere without a reader. Raises OSError."""
        remaining = memoryview(data)
        size = len(remaining)
        while remaining:  # a disk that is nearly full takes a part
            remaining = remaining[self._write(remaining) :]
        return size

    def _write(self, data: Buffer) -> int:
        try:
            written: int | None = super().write(data)
            if written is None:  # a pipe that does not block is full
                raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        except BrokenPipeError:
            self.has_reader = False
            discard(self)
            return super().write(data)
        except OSError as error:
            error.filename = "standard output" if self.fileno() == 1 else "standard error"
            raise
        return written


def unbroken(stream: TextIO) -> TextIO:
    """Return a stream to the same pipe that outlives its reader, or to the same file.

    A stream to a terminal, or without a descriptor, is returned itself.
    """
    if stream is None or stream.closed or not _is_pipe_or_file(stream):
        return stream
    output = _Output(stream)
    is_unbuffered = isinstance(stream.buffer, FileIO)  # PYTHONUNBUFFERED
    return TextIOWrapper(
        output if is_unbuffered else BufferedWriter(output),
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
    return isinstance(raw, _Output) and not raw.has_reader


def discard(stream: TextIO | FileIO) -> None:
    """Redirect a stream to ``/dev/null``."""
    with Path(os.devnull).open("w") as null:
        os.dup2(null.fileno(), stream.fileno())


def _is_pipe_or_file(stream: TextIO) -> bool:
    try:
        return not os.isatty(stream.fileno())
    except (OSError, ValueError):  # it has no descriptor
        return False
