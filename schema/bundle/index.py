"""The index of a bundle: its lines, and the position of each file that follows from them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Annotated, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field

from schema.seal import hex_digest

FORMAT: Literal["koth-bundle/1"] = "koth-bundle/1"
SUFFIX = ".jsonl.zst"

SEAL_HEAD = bytes.fromhex("502a4d18 40000000")
"""The head of the seal: a skippable frame of 64 bytes (RFC 8878, section 3.1.2)."""

FRAME_BYTES = 1 << 20
"""The writer closes a frame that holds this many bytes: small logs share one frame."""

MAX_FRAME_BYTES = 1 << 33
"""Maximum bytes of an unpacked frame, and so of a file."""

MAX_NAME_BYTES = 4096
"""Maximum bytes of a file's name, as of a path in Linux."""

MAX_FRAME_OVERHEAD = 1 << 10
"""More bytes than a frame has besides its blocks."""

INDEX_RATIO = 32
"""Maximum bytes of the index per byte of the bundle, beyond ``INDEX_FREE``.

Half of each line is a hash, which does not compress. But bots of a contest may share files, whose
hashes do.
"""
INDEX_FREE = 1 << 26
"""Bytes that an index may have whatever its ratio: some 400,000 files."""

FIELDS = {"file": str, "size": int, "sha256": str}
HASH = re.compile("[0-9a-f]{64}")

Count = Annotated[int, Field(ge=0, strict=True)]


class About(BaseModel):
    """The first line of the index."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    format: Literal["koth-bundle/1"]
    files: Count
    frames: list[tuple[Count, Count]]


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the index: one file, with the size and SHA-256 of its content."""

    file: str
    size: int
    sha256: str

    @classmethod
    def of(cls, file: str, content: bytes) -> Entry:
        """Return the line for a file with this content."""
        return cls(file=file, size=len(content), sha256=hex_digest(content))

    @classmethod
    def parse(cls, line: bytes) -> Entry:
        """Return the entry in a line of the index. Raises ValueError."""
        fields = orjson.loads(line)
        if isinstance(fields, dict) and {key: type(fields[key]) for key in fields} == FIELDS:
            entry = cls(**fields)
            if entry.size >= 0 and HASH.fullmatch(entry.sha256):
                return entry
        raise ValueError("expected file, size and sha256")


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame of contents: its position in the bundle, and its bytes packed and unpacked."""

    start: int
    packed: int
    unpacked: int


@dataclass(frozen=True, slots=True)
class Stored:
    """A file in a bundle: ``start`` is its position in the unpacked frame."""

    entry: Entry
    frame: Frame
    start: int


class IndexMismatch(ValueError):
    """Raised if an index is not valid or does not match the frames; the message is the reason."""


def format_of(index: bytes) -> object:
    """Return the format that the first line of an index names. Raises IndexMismatch."""
    try:
        return orjson.loads(index.partition(b"\n")[0])["format"]
    except (ValueError, TypeError, KeyError):
        raise IndexMismatch("its index is not valid") from None


def check_index_size(size: int, packed: int) -> None:
    """Check the bytes of an index in a bundle of ``packed`` bytes. Raises IndexMismatch."""
    if size > INDEX_FREE + INDEX_RATIO * packed:
        raise IndexMismatch(f"its index is more than {INDEX_RATIO} times as long as the bundle")


def stored_files(index: bytes, start: int, end: int) -> dict[str, Stored]:
    """Return the files of a bundle by name; its frames take the bytes from ``start`` to ``end``.

    Raises IndexMismatch.
    """
    try:
        first, *lines = index.removesuffix(b"\n").split(b"\n")
        about = About.model_validate_json(first)
        entries = [Entry.parse(line) for line in lines]
    except ValueError:
        raise IndexMismatch("its index is not valid") from None
    names = [entry.file for entry in entries]
    if not all(map(_is_inside, names)) or any(a >= b for a, b in pairwise(names)):
        most = f"sorted relative paths of up to {MAX_NAME_BYTES} bytes"
        raise IndexMismatch(f"the names in its index are not {most}")
    if any(has_prefix(names, f"{name}/") for name in names):
        raise IndexMismatch("its index names a file that is also a folder")
    stored: dict[str, Stored] = {}
    remaining = iter(entries)
    for files, packed in about.frames:
        held = list(islice(remaining, files))
        frame = _frame(start, packed, held)
        position = 0
        for entry in held:
            if position >= FRAME_BYTES:  # else each of thousands unpacks all before it
                raise IndexMismatch(
                    f"its index has a frame with another file after {FRAME_BYTES} bytes"
                )
            stored[entry.file] = Stored(entry, frame, position)
            position += entry.size
        start += packed
    counted = sum(files for files, _ in about.frames)
    if not about.files == len(entries) == counted or start != end:
        raise IndexMismatch("its index does not match its frames")
    return stored


def _frame(start: int, packed: int, held: Sequence[Entry]) -> Frame:
    """Return the frame at ``start`` that holds these files. Raises IndexMismatch."""
    if not held:
        raise IndexMismatch("its index has a frame without files")
    frame = Frame(start, packed, sum(entry.size for entry in held))
    if frame.unpacked > MAX_FRAME_BYTES:
        raise IndexMismatch(
            f"its index has a frame of {frame.unpacked} bytes, more than {MAX_FRAME_BYTES}"
        )
    if packed > frame.unpacked + frame.unpacked // 128 + MAX_FRAME_OVERHEAD:
        raise IndexMismatch("its index has a frame that is longer packed than unpacked")
    return frame


def has_prefix(names: Sequence[str], prefix: str) -> bool:
    """Return whether one of the sorted ``names`` begins with ``prefix``."""
    first = bisect_left(names, prefix)
    return first < len(names) and names[first].startswith(prefix)


def _is_inside(name: str) -> bool:
    """Return whether a name is a relative path that cannot leave its folder, and not too long."""
    fits = "\0" not in name and len(name.encode()) <= MAX_NAME_BYTES
    return fits and not {"", ".", ".."} & set(name.split("/"))
