"""The names that :mod:`schema.bundle` imports; a browser reads logs, and no bundles."""

from __future__ import annotations


class ZstdError(Exception):
    """Raised by every use."""


class ZstdDecompressor:
    """Raises ZstdError."""

    def __init__(self, **options: object) -> None:
        raise ZstdError("bundles are not read in a browser; `koth unpack` gives their logs")


ZstdCompressor = frame_content_size = ZstdDecompressor
