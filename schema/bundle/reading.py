"""Read bundles: their files, and paths that lead into them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from io import BufferedReader, BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, Literal

from schema.bundle.index import (
    FORMAT,
    FRAME_BYTES,
    SEAL_HEAD,
    SUFFIX,
    Entry,
    Frame,
    IndexMismatch,
    Stored,
    check_index_size,
    format_of,
    has_prefix,
    stored_files,
)
from schema.bundle.long_file import LongFile, unpacker
from schema.errors import CorruptLog, UnsupportedLog
from schema.files import open_regular

ROOT = PurePosixPath()
"""The root folder of a bundle."""

SEAL_BYTES = len(SEAL_HEAD) + 64

INDEX_CHUNK = 1 << 9
"""Compressed bytes of the index that are unpacked at a time; they give some megabytes at most."""

HELD_BYTES = 16 << 20
"""Maximum bytes of a frame that is kept in memory; a longer one is unpacked while it is read."""


class Bundle:
    """The bundle at ``path``, for reading.

    The first access opens it, and checks its seal and its index. Every method raises CorruptLog if
    the bundle is damaged, UnsupportedLog if its format is newer, and OSError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._frame = lru_cache(maxsize=4)(self._read_frame)
        self._checked: set[str] = set()
        """Files in long frames whose hash was compared."""

    def __reduce__(self) -> tuple[object, ...]:
        return shared_bundle, (self.path,)

    @property
    def name(self) -> str:
        """The file's name without the suffix of bundles."""
        return self.path.name.removesuffix(SUFFIX)

    @property
    def root(self) -> Member:
        """The folder that holds all files."""
        return Member(self, ROOT)

    def check(self) -> None:
        """Open the bundle if it is not open yet."""
        self._stored  # noqa: B018

    @property
    def entries(self) -> list[Entry]:
        """The files, sorted by name."""
        return [stored.entry for stored in self._stored.values()]

    @cached_property
    def _names(self) -> list[str]:
        """The names of the files, sorted."""
        return [*self._stored]

    def has_names(self, prefix: str) -> bool:
        """Return whether the name of a file begins with ``prefix``."""
        return has_prefix(self._names, prefix)

    def __contains__(self, file: str) -> bool:
        return file in self._stored

    def read(self, file: str) -> bytes:
        """Return the content of one file. Raises FileNotFoundError if there is no such file."""
        with self.open(file) as opened:
            return opened.read()

    def open(self, file: str) -> IO[bytes]:
        """Open one file at its beginning, once its hash is checked. Raises as :meth:`read` does.

        The content of a long file is unpacked while it is read, and again if it is read again.
        """
        if file not in self:
            raise FileNotFoundError(2, "there is no such file in the bundle", f"{self.path}/{file}")
        stored = self._stored[file]
        opened = self._content(stored)
        if file not in self._checked:
            digest = sha256()
            while piece := opened.read(FRAME_BYTES):
                digest.update(piece)
            if digest.hexdigest() != stored.entry.sha256:
                raise self._damaged(f"the content of {file} is not what its index says")
            opened.seek(0)
            if stored.frame.unpacked > HELD_BYTES:
                self._checked.add(file)
        return opened

    def _content(self, stored: Stored) -> IO[bytes]:
        if stored.frame.unpacked <= HELD_BYTES:
            content = self._frame(stored.frame)[stored.start : stored.start + stored.entry.size]
            return BytesIO(content)
        return BufferedReader(LongFile(self.path, stored, self._damaged), FRAME_BYTES)

    @cached_property
    def _stored(self) -> Mapping[str, Stored]:
        """The files by name."""
        with open_regular(self.path) as file:
            end = file.seek(0, os.SEEK_END) - SEAL_BYTES
            self._check_seal(file, end)
            file.seek(0)
            index, start = self._read_index(file, end)
        try:
            if (format := format_of(index)) != FORMAT:
                raise UnsupportedLog(
                    self.path,
                    None,
                    f"expected the format {FORMAT}, found {str(format)[:64]!r}. Use a newer koth",
                )
            return stored_files(index, start, end)
        except IndexMismatch as error:
            raise self._damaged(str(error)) from None

    def _check_seal(self, file: IO[bytes], end: int) -> None:
        """Compare the seal at ``end`` with the bytes before it."""
        if end < 0:
            raise self._damaged("it is too short for a bundle")
        file.seek(end)
        seal = file.read(SEAL_BYTES)
        if not seal.startswith(SEAL_HEAD):  # so that a file with holes is not read to its end
            remedy = "Take another copy; unpack a log that you packed yourself with `zstd -d`"
            raise self._damaged("there is no seal at its end", remedy)
        file.seek(0)
        digest = sha256()
        for start in range(0, end, FRAME_BYTES):
            digest.update(file.read(min(FRAME_BYTES, end - start)))
        if seal != SEAL_HEAD + digest.hexdigest().encode():
            raise self._damaged("its bytes are not those that its seal was made for")

    def _read_index(self, file: IO[bytes], end: int) -> tuple[bytes, int]:
        """Return the unpacked index, and the position of the frame after it.

        ``end`` is the number of bytes before the seal.
        """
        from schema.zstd import zstd

        frame = unpacker()
        content = bytearray()
        try:
            while not frame.eof:
                packed = file.read(INDEX_CHUNK)
                content += frame.decompress(packed)
                if not packed:
                    raise self._damaged("its index has no end")
                check_index_size(len(content), end)
        except IndexMismatch as error:
            raise self._damaged(str(error)) from None
        except zstd.ZstdError:
            raise self._damaged("it does not begin with an index") from None
        return bytes(content), file.tell() - len(frame.unused_data)

    def _read_frame(self, frame: Frame) -> bytes:
        from schema.zstd import zstd

        with open_regular(self.path) as file:
            file.seek(frame.start)
            packed = file.read(frame.packed)
        try:
            if zstd.get_frame_info(packed).decompressed_size == frame.unpacked:
                unpacking = zstd.ZstdDecompressor()
                content = unpacking.decompress(packed)
                is_one = unpacking.eof and not unpacking.unused_data
                if is_one and len(content) == frame.unpacked:
                    return content
        except (zstd.ZstdError, MemoryError):
            pass
        raise self._damaged("a frame is not what its index says")

    def _damaged(self, reason: str, remedy: str = "Take another copy") -> CorruptLog:
        return CorruptLog(self.path, None, f"the bundle is damaged: {reason}. {remedy}")


@cache
def shared_bundle(path: Path) -> Bundle:
    """Return the one Bundle of this process for ``path``, so that unpickled members share it."""
    return Bundle(path)


@dataclass(frozen=True)
class Member:
    """A file or folder in a bundle; a :class:`schema.log_path.LogPath`."""

    bundle: Bundle
    inner: PurePosixPath

    def __str__(self) -> str:
        return str(self.bundle.path / self.inner)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Member) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[Path, PurePosixPath]:
        return self.bundle.path, self.inner

    @property
    def name(self) -> str:
        """The last part of the path; for the root, the name of the bundle's file."""
        return self.inner.name or self.bundle.path.name

    @property
    def prefix(self) -> str:
        """The beginning of the names of all files below it."""
        return f"{self.inner}/" if self.inner.name else ""

    @property
    def parent(self) -> Member:
        """The folder that contains it; the root's parent is the root."""
        return Member(self.bundle, self.inner.parent)

    def __truediv__(self, name: str) -> Member:
        return Member(self.bundle, self.inner / name)

    def exists(self) -> bool:
        """Return whether the bundle has a file or folder of this name."""
        return str(self.inner) in self.bundle or self.is_dir()

    def is_dir(self) -> bool:
        """Return whether a file of the bundle is below this path."""
        return self.bundle.has_names(self.prefix)

    def open(self, mode: Literal["rb"]) -> IO[bytes]:
        """Open the file at its beginning. Raises as :class:`Bundle` does."""
        return self.bundle.open(str(self.inner))

    def read_bytes(self) -> bytes:
        """Return the whole file. Raises as :class:`Bundle` does."""
        return self.bundle.read(str(self.inner))


def is_bundle(path: Path) -> bool:
    """Return whether ``path`` is a file with the suffix of bundles."""
    return path.name.endswith(SUFFIX) and path.is_file()
