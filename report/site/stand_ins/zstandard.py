"""Unpack zstd frames (RFC 8878) as the library ``zstandard`` does, with Python 3.14's own module.

It has the parts that reading bundles needs; a browser writes none.
"""

from __future__ import annotations

from typing import IO, Any

from compression import zstd  # type: ignore[import-not-found]  # Python 3.14 has it

PIECE = 1 << 16
"""Compressed bytes that a stream reads at a time."""

ZstdError = zstd.ZstdError


def frame_content_size(packed: bytes) -> int:
    """Return the unpacked size that a frame's head names, or -1. Raises ZstdError."""
    size: int | None = zstd.get_frame_info(packed).decompressed_size
    return -1 if size is None else size


class ZstdDecompressor:
    """Unpacks single frames whose window has at most ``max_window_size`` bytes, if given."""

    def __init__(self, max_window_size: int = 0) -> None:
        log = zstd.DecompressionParameter.window_log_max
        self._options = {log: max_window_size.bit_length() - 1} if max_window_size else None

    def decompressobj(self) -> Any:
        """Return an object with ``decompress``, ``eof`` and ``unused_data``."""
        return zstd.ZstdDecompressor(options=self._options)

    def decompress(self, packed: bytes, *, allow_extra_data: bool) -> bytes:
        """Return the content of one frame, which must end where ``packed`` does.

        Raises ZstdError; ``allow_extra_data`` is False.
        """
        frame = self.decompressobj()
        content: bytes = frame.decompress(packed)
        if not frame.eof or frame.unused_data:
            raise ZstdError("expected one whole frame")
        return content

    def stream_reader(self, source: IO[bytes], closefd: bool) -> _Stream:
        """Return a stream of the frame at the position of ``source``, which stays open."""
        return _Stream(source, self.decompressobj())


class _Stream:
    def __init__(self, source: IO[bytes], frame: Any) -> None:
        self._source, self._frame = source, frame

    def read(self, size: int) -> bytes:
        """Return the next bytes, at most ``size``; none after the frame's end. Raises ZstdError."""
        content = b""
        while not content and not self._frame.eof:
            packed = self._source.read(PIECE) if self._frame.needs_input else b""
            if self._frame.needs_input and not packed:
                break
            content = self._frame.decompress(packed, size)
        return content


class ZstdCompressor:
    """Raises ZstdError: `koth pack` writes bundles."""

    def __init__(self, **options: object) -> None:
        raise ZstdError("bundles are not written in a browser")
