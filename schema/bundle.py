"""Bundles: many files in one, ``<name>.jsonl.zst``, compressed and sealed.

A bundle is a row of zstd frames (RFC 8878), which ``zstd -dc`` reads as one text:

1. the index: one line about the bundle, then a line a file, sorted by name;
2. the contents of the files in that order, with nothing in between; each frame holds whole files;
3. the seal, a skippable frame: the SHA-256, as 64 hex digits, of all bytes before the frame.

The line about the bundle has ``files``, how many there are, and ``frames``, a pair for each frame
of contents: how many files it holds, and how many bytes it takes. A line of a file has its name,
a relative path, and the size and the hash of its content. The same files give the same bytes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from io import BufferedReader, BytesIO, RawIOBase
from itertools import islice, pairwise
from pathlib import Path, PurePosixPath
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO, Annotated, Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field
from zstandard import ZstdCompressor, ZstdDecompressor, ZstdError, frame_content_size

from schema.errors import CorruptLog, UnsupportedLog, UsageError
from schema.files import open_regular, replacing
from schema.seal import hex_digest

FORMAT: Literal["koth-bundle/1"] = "koth-bundle/1"
SUFFIX = ".jsonl.zst"
FRAME_BYTES = 1 << 20
"""A frame is closed once it holds as much: small logs share one, and one is read at once."""
LEVEL = 3
SEAL_HEAD = bytes.fromhex("502a4d18 40000000")
"""A skippable frame of 64 bytes."""
SEAL_BYTES = len(SEAL_HEAD) + 64
INDEX_RATIO = 32
"""Maximum bytes of the index for each compressed one: half of each line is a hash, as good as
random, so an honest one is below 5."""
INDEX_FREE = 1 << 20
"""Bytes that an index may have whatever its ratio."""
HELD_BYTES = 16 << 20
"""Maximum bytes of a frame that is kept in memory; a longer one is unpacked as it is read."""
MOST_BYTES = 1 << 33
"""Maximum bytes of a frame, unpacked; so of a file, too."""
LONGEST_HEAD = 1 << 10
"""More bytes than a frame has besides its blocks."""
WINDOW_BYTES = 8 << 20
"""Maximum window of a frame: the memory that unpacking takes (RFC 8878, section 3.1.1.1.2)."""
CHUNK = 1 << 9
"""Compressed bytes of the index that are unpacked at a time: at most some megabytes come of it."""

HASH = re.compile("[0-9a-f]{64}")

Count = Annotated[int, Field(ge=0, strict=True)]


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _About(_Line):
    """The first line of the index."""

    format: Literal["koth-bundle/1"]
    files: Count
    frames: list[tuple[Count, Count]]


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the index: one file, and the size and the hash of its content."""

    file: str
    size: int
    sha256: str

    @classmethod
    def of(cls, file: str, content: bytes) -> Entry:
        """The line for a file with this content."""
        return cls(file=file, size=len(content), sha256=hex_digest(content))

    @classmethod
    def parse(cls, line: bytes) -> Entry:
        """The entry in a line of the index. Raises ValueError."""
        match orjson.loads(line):
            case {"file": str(file), "size": int(size), "sha256": str(digest), **rest}:
                if not rest and type(size) is int and size >= 0 and HASH.fullmatch(digest):
                    return cls(file, size, digest)
        raise ValueError("expected file, size and sha256")


@dataclass(frozen=True, slots=True)
class _Frame:
    start: int
    """Its place in the bundle."""
    packed: int
    unpacked: int


@dataclass(frozen=True, slots=True)
class _Where:
    entry: Entry
    frame: _Frame
    start: int
    """Its place in the frame's content."""


class Bundle:
    """The bundle at ``path``, to be read.

    It is opened when something of it is needed, and then every byte is checked. Everything raises
    CorruptLog when the bundle is damaged, UnsupportedLog when it is of a newer format, OSError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._frame = lru_cache(maxsize=4)(self._read_frame)
        self._checked: set[str] = set()
        """Files in long frames whose hash was found right."""

    def __reduce__(self) -> tuple[object, ...]:
        return reopened, (self.path,)

    @property
    def name(self) -> str:
        """Its name, without what the names of all bundles end in."""
        return self.path.name.removesuffix(SUFFIX)

    @property
    def root(self) -> Member:
        """The folder that all its files are in."""
        return Member(self, PurePosixPath())

    def check(self) -> None:
        """Open it, if it is not open yet."""
        self._opened  # noqa: B018

    @property
    def digest(self) -> str:
        """The hash in its seal."""
        return self._opened[0]

    @property
    def entries(self) -> list[Entry]:
        """The files, sorted by name."""
        return [where.entry for where in self._opened[1].values()]

    @cached_property
    def folders(self) -> frozenset[PurePosixPath]:
        """The folders that the files lie in."""
        return frozenset(
            parent for entry in self.entries for parent in PurePosixPath(entry.file).parents
        )

    def __contains__(self, file: str) -> bool:
        return file in self._opened[1]

    def read(self, file: str) -> bytes:
        """The content of one file. Raises FileNotFoundError when there is none of this name."""
        with self.open(file) as opened:
            return opened.read()

    def open(self, file: str) -> IO[bytes]:
        """One file, to be read from its beginning. Raises what :meth:`read` does.

        The content of a long one is unpacked as it is read, and again if it is read again.
        """
        if file not in self:
            raise FileNotFoundError(2, "there is no such file in the bundle", file)
        where = self._opened[1][file]
        opened = self._content(where)
        if file not in self._checked:
            digest = sha256()
            while piece := opened.read(FRAME_BYTES):
                digest.update(piece)
            if opened.tell() != where.entry.size or digest.hexdigest() != where.entry.sha256:
                raise self._damaged(f"the content of {file} is not what its index says")
            opened.seek(0)
            if where.frame.unpacked > HELD_BYTES:
                self._checked.add(file)
        return opened

    def _content(self, where: _Where) -> IO[bytes]:
        if where.frame.unpacked <= HELD_BYTES:
            content = self._frame(where.frame)[where.start : where.start + where.entry.size]
            return BytesIO(content)
        return BufferedReader(_Unpacked(self.path, where, self._damaged), FRAME_BYTES)

    @cached_property
    def _opened(self) -> tuple[str, Mapping[str, _Where]]:
        with open_regular(self.path) as file:
            end = os.fstat(file.fileno()).st_size - SEAL_BYTES
            digest = self._check_seal(file, end)
            file.seek(0)
            return digest, self._read_index(file, end)

    def _check_seal(self, file: IO[bytes], end: int) -> str:
        if end < 0:
            raise self._damaged("it is too short for a bundle")
        file.seek(end)
        seal = file.read(SEAL_BYTES)
        if not seal.startswith(SEAL_HEAD):  # so that a file with holes is not read to its end
            raise self._damaged("there is no seal at its end")
        file.seek(0)
        digest = sha256()
        for start in range(0, end, FRAME_BYTES):
            digest.update(file.read(min(FRAME_BYTES, end - start)))
        if seal != SEAL_HEAD + digest.hexdigest().encode():
            raise self._damaged("its bytes are not those that were sealed at its end")
        return digest.hexdigest()

    def _read_index(self, file: IO[bytes], end: int) -> dict[str, _Where]:
        content, start = self._first_frame(file)
        try:
            first, *lines = content.removesuffix(b"\n").split(b"\n")
            self._check_format(first)
            about = _About.model_validate_json(first)
            entries = [Entry.parse(line) for line in lines]
        except (ValueError, TypeError, KeyError):
            raise self._damaged("its index is none") from None
        names = [entry.file for entry in entries]
        if not all(map(_is_inside, names)) or any(one >= two for one, two in pairwise(names)):
            raise self._damaged("the names in its index are not sorted relative paths")
        found: dict[str, _Where] = {}
        remaining = iter(entries)
        for files, packed in about.frames:
            if not files:
                raise self._damaged("its index has a frame without files")
            held = list(islice(remaining, files))
            frame = _Frame(start, packed, sum(entry.size for entry in held))
            if frame.unpacked > MOST_BYTES:
                told = f"its index has a frame of {frame.unpacked} bytes, more than {MOST_BYTES}"
                raise self._damaged(told)
            if packed > frame.unpacked + frame.unpacked // 128 + LONGEST_HEAD:
                raise self._damaged("its index has a frame that is longer packed than unpacked")
            place = 0
            for entry in held:
                found[entry.file] = _Where(entry, frame, place)
                place += entry.size
            start += packed
        counted = sum(files for files, _ in about.frames)
        if not about.files == len(entries) == counted or start != end:
            raise self._damaged("its index does not fit the frames")
        return found

    def _first_frame(self, file: IO[bytes]) -> tuple[bytes, int]:
        """The content of the index, and where the frame behind it begins."""
        frame = ZstdDecompressor(max_window_size=WINDOW_BYTES).decompressobj()
        content = bytearray()
        try:
            while not frame.eof:
                packed = file.read(CHUNK)
                content += frame.decompress(packed)
                if not packed:
                    raise self._damaged("its index has no end")
                if len(content) > INDEX_FREE + INDEX_RATIO * file.tell():
                    told = f"its index is more than {INDEX_RATIO} times as long as it is packed"
                    raise self._damaged(told)
        except ZstdError:
            raise self._damaged("it does not begin with an index") from None
        return bytes(content), file.tell() - len(frame.unused_data)

    def _check_format(self, line: bytes) -> None:
        format = orjson.loads(line)["format"]
        if format != FORMAT:
            found = f"expected the format {FORMAT}, found {str(format)[:64]!r}. Use a newer koth"
            raise UnsupportedLog(self.path, None, found)

    def _read_frame(self, frame: _Frame) -> bytes:
        with open_regular(self.path) as file:
            file.seek(frame.start)
            packed = file.read(frame.packed)
        try:
            if frame_content_size(packed) == frame.unpacked:
                content = ZstdDecompressor().decompress(packed, allow_extra_data=False)
                if len(content) == frame.unpacked:
                    return content
        except (ZstdError, MemoryError):
            pass
        raise self._damaged("a frame is not what its index says")

    def _damaged(self, found: str) -> CorruptLog:
        return CorruptLog(self.path, None, f"the bundle is damaged: {found}. Take another copy")


class _Unpacked(RawIOBase):
    """A file in a long frame: unpacked as it is read, from the frame's beginning after a seek back.

    Raises what ``damaged`` makes when the frame is not what the index says.
    """

    def __init__(self, path: Path, where: _Where, damaged: Callable[[str], CorruptLog]) -> None:
        self._file = open_regular(path)
        self._frame, self._start, self._size = where.frame, where.start, where.entry.size
        self._damaged = damaged
        self._wanted = 0
        """The next byte of the file to be read."""
        self._unpacked = 0
        """How many bytes of the frame were unpacked."""
        self._restart()

    def _restart(self) -> None:
        self._file.seek(self._frame.start)
        unpacker = ZstdDecompressor(max_window_size=WINDOW_BYTES)
        self._stream = unpacker.stream_reader(self._file, closefd=False)
        self._unpacked = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """It is."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a byte of the file; nothing is unpacked before something is read."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._wanted, os.SEEK_END: self._size}[whence]
        self._wanted = max(0, base + offset)
        return self._wanted

    def readinto(self, buffer: Any) -> int:
        """Fill ``buffer`` as far as there is something left; returns how far."""
        size = min(len(buffer), self._size - self._wanted)
        if size <= 0:
            return 0
        if self._start + self._wanted < self._unpacked:
            self._restart()
        while (gap := self._start + self._wanted - self._unpacked) > 0:
            self._next(min(gap, FRAME_BYTES))
        piece = self._next(size)
        buffer[: len(piece)] = piece
        self._wanted += len(piece)
        return len(piece)

    def _next(self, size: int) -> bytes:
        try:
            piece = self._stream.read(size)
        except (ZstdError, MemoryError):
            piece = b""
        if not piece:
            raise self._damaged("a frame is not what its index says")
        self._unpacked += len(piece)
        return piece

    def close(self) -> None:
        """Close the bundle's file."""
        self._file.close()
        super().close()


@cache
def reopened(path: Path) -> Bundle:
    """The bundle in another process, where all that is sent of it shares what was read."""
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
        """The last part; that of the bundle's root is the bundle's."""
        return self.inner.name or self.bundle.path.name

    @property
    def parent(self) -> Member:
        """The folder that it lies in; the root lies in itself."""
        return Member(self.bundle, self.inner.parent)

    def __truediv__(self, name: str) -> Member:
        return Member(self.bundle, self.inner / name)

    def exists(self) -> bool:
        """Whether there is a file or folder."""
        return str(self.inner) in self.bundle or self.is_dir()

    def is_dir(self) -> bool:
        """Whether there is a folder: one with a file in it."""
        return self.inner in self.bundle.folders

    def open(self, mode: Literal["rb"]) -> IO[bytes]:
        """The file, to be read from its beginning."""
        return self.bundle.open(str(self.inner))

    def read_bytes(self) -> bytes:
        """All of the file."""
        return self.bundle.read(str(self.inner))


def is_bundle(path: Path) -> bool:
    """Whether there is a file with the name of a bundle."""
    return path.name.endswith(SUFFIX) and path.is_file()


def write(files: Iterable[tuple[str, bytes]], target: Path) -> None:
    """Make a bundle of files, given as (name, content) sorted by name; ``target`` is there at once.

    Raises OSError, and UsageError for a file that is too long.
    """
    compressor = ZstdCompressor(level=LEVEL, write_checksum=True)
    entries: list[Entry] = []
    frames: list[tuple[int, int]] = []
    with TemporaryFile(dir=target.parent) as body, replacing(target) as path:
        for held in _framed(files):
            entries += [Entry.of(name, content) for name, content in held]
            packed = compressor.compress(b"".join(content for _, content in held))
            frames.append((len(held), len(packed)))
            body.write(packed)
        about = _About(format=FORMAT, files=len(entries), frames=frames)
        index = b"".join(
            [
                about.model_dump_json().encode() + b"\n",
                *(orjson.dumps(one) + b"\n" for one in entries),
            ]
        )
        body.seek(0)
        digest = sha256()
        with path.open("wb") as file:
            chunk = compressor.compress(index)
            while chunk:
                digest.update(chunk)
                file.write(chunk)
                chunk = body.read(FRAME_BYTES)
            file.write(SEAL_HEAD + digest.hexdigest().encode())


def _framed(files: Iterable[tuple[str, bytes]]) -> Iterator[list[tuple[str, bytes]]]:
    """The files that go into each frame."""
    held: list[tuple[str, bytes]] = []
    size = 0
    for name, content in files:
        if len(content) > MOST_BYTES - FRAME_BYTES:
            raise UsageError(f"{name}: expected a file of up to {MOST_BYTES - FRAME_BYTES} bytes.")
        held.append((name, content))
        size += len(content)
        if size >= FRAME_BYTES:
            yield held
            held, size = [], 0
    if held:
        yield held


def extract(bundle: Bundle, folder: Path) -> None:
    """Write every file of a bundle into ``folder``, which is made."""
    folder.mkdir()
    for entry in bundle.entries:
        path = folder / entry.file
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as target, bundle.open(entry.file) as source:
            copyfileobj(source, target, FRAME_BYTES)


def _is_inside(name: str) -> bool:
    """Whether a name is a relative path that stays where it begins."""
    return "\0" not in name and not {"", ".", ".."} & set(name.split("/"))
