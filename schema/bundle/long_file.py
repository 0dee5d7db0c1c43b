"""A file in a frame that is too long for memory: unpacked while it is read."""

from __future__ import annotations

import os
from collections.abc import Callable
from io import RawIOBase
from pathlib import Path
from typing import Any

from schema.bundle.index import FRAME_BYTES, Stored
from schema.errors import CorruptLog
from schema.files import open_regular

WINDOW_LOG = 23
"""Maximum window of a frame, 8 MiB, as a power of two: the memory that unpacking takes (RFC 8878,
section 3.1.1.1.2).
"""
PACKED_BYTES = 1 << 16
"""Compressed bytes that are read at a time."""


def unpacker() -> Any:
    """Return a ``ZstdDecompressor`` for one frame whose window is not too large."""
    from schema.zstd import zstd

    return zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: WINDOW_LOG})


class LongFile(RawIOBase):
    """A seekable stream of one file; reading after a seek back unpacks the frame from its start.

    Raises the error that ``damaged`` returns if the frame does not match the index.
    """

    def __init__(self, path: Path, stored: Stored, damaged: Callable[[str], CorruptLog]) -> None:
        self._file = open_regular(path)
        self._frame, self._start, self._size = stored.frame, stored.start, stored.entry.size
        self._damaged = damaged
        self._position = 0
        """The next byte of the file to be read."""
        self._unpacked = 0
        """Bytes of the frame that were unpacked so far."""
        self._restart()

    def _restart(self) -> None:
        self._file.seek(self._frame.start)
        self._unpacker = unpacker()
        self._unpacked = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Set and return the position; nothing is unpacked before the next read."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._size}[whence]
        self._position = max(0, base + offset)
        return self._position

    def readinto(self, buffer: Any) -> int:
        """Read up to ``len(buffer)`` bytes into ``buffer`` and return their number."""
        size = min(len(buffer), self._size - self._position)
        if size <= 0:
            return 0
        if self._start + self._position < self._unpacked:
            self._restart()
        while (gap := self._start + self._position - self._unpacked) > 0:
            self._unpack(min(gap, FRAME_BYTES))
        piece = self._unpack(size)
        if self._unpacked == self._frame.unpacked and not self._is_over():
            raise self._mismatch()
        buffer[: len(piece)] = piece
        self._position += len(piece)
        return len(piece)

    def _unpack(self, size: int) -> bytes:
        """Return the next bytes of the frame, at least one and up to ``size``."""
        piece = self._next(size)
        if not piece:
            raise self._mismatch()
        self._unpacked += len(piece)
        return piece

    def _is_over(self) -> bool:
        """Return whether the frame has no more bytes, and ends where the index says."""
        if self._next(1) or not self._unpacker.eof:
            return False
        end = self._file.tell() - len(self._unpacker.unused_data)
        return end == self._frame.start + self._frame.packed

    def _mismatch(self) -> CorruptLog:
        return self._damaged("a frame is not what its index says")

    def _next(self, size: int) -> bytes:
        """Return the next bytes of the frame, up to ``size``; none if it ends or is damaged."""
        from schema.zstd import zstd

        piece = b""
        try:
            while not piece and not self._unpacker.eof:
                packed = self._file.read(PACKED_BYTES) if self._unpacker.needs_input else b""
                if not packed and self._unpacker.needs_input:
                    break
                piece = self._unpacker.decompress(packed, size)
        except (zstd.ZstdError, MemoryError):
            pass
        return piece

    def close(self) -> None:
        """Close the bundle's file."""
        self._file.close()
        super().close()
