"""Write bundles, and extract them."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile

import orjson

from schema.bundle.index import (
    FORMAT,
    FRAME_BYTES,
    MAX_FRAME_BYTES,
    SEAL_HEAD,
    About,
    Entry,
    IndexMismatch,
    check_index_size,
)
from schema.bundle.reading import Bundle
from schema.errors import UsageError
from schema.files import IS_WINDOWS, open_for_writing, replacing

LEVEL = 3
"""The compression level of zstd."""

MAX_FILE_BYTES = MAX_FRAME_BYTES - FRAME_BYTES

MAX_FOLDERS = 100
"""Most folders of a name that is extracted: a small bundle could else make millions."""

ANOTHER_ON_WINDOWS = re.compile(r"[\\:]|[ .](?=/|$)")
"""Windows takes such a name for another path: it drops spaces and dots at the end of a name."""


def write(files: Iterable[tuple[str, bytes]], target: Path) -> None:
    """Write a bundle of ``files``, pairs (name, content) sorted by name, whole or not at all.

    Raises OSError, and UsageError for a file or an index that is too long.
    """
    from schema.zstd import zstd

    parameter = zstd.CompressionParameter
    options: dict[int, int] = {parameter.compression_level: LEVEL, parameter.checksum_flag: 1}
    compress = partial(zstd.compress, options=options)
    entries: list[Entry] = []
    frames: list[tuple[int, int]] = []
    with replacing(target) as path, TemporaryFile(dir=target.parent) as body:
        for held in _framed(files):
            entries += [Entry.of(name, content) for name, content in held]
            packed = compress(b"".join(content for _, content in held))
            frames.append((len(held), len(packed)))
            body.write(packed)
        about = About(format=FORMAT, files=len(entries), frames=frames)
        lines = [about.model_dump_json().encode(), *map(orjson.dumps, entries)]
        index = b"".join(line + b"\n" for line in lines)
        chunk = compress(index)
        try:
            check_index_size(len(index), len(chunk) + body.tell())
        except IndexMismatch as error:
            raise UsageError(f"{target}: cannot be packed: {error}.") from None
        body.seek(0)
        digest = sha256()
        with open_for_writing(path) as file:
            while chunk:
                digest.update(chunk)
                file.write(chunk)
                chunk = body.read(FRAME_BYTES)
            file.write(SEAL_HEAD + digest.hexdigest().encode())


def _framed(files: Iterable[tuple[str, bytes]]) -> Iterator[list[tuple[str, bytes]]]:
    """Group ``files`` by the frame that holds them. Raises UsageError for one that is too long."""
    held: list[tuple[str, bytes]] = []
    size = 0
    for name, content in files:
        if len(content) > MAX_FILE_BYTES:
            raise UsageError(f"{name}: expected a file of up to {MAX_FILE_BYTES} bytes.")
        held.append((name, content))
        size += len(content)
        if size >= FRAME_BYTES:
            yield held
            held, size = [], 0
    if held:
        yield held


def extract(bundle: Bundle, folder: Path) -> None:
    """Write every file of ``bundle`` into ``folder``, which must not exist.

    Raises as Bundle, and UsageError for a name that this system cannot have, or with more than
    ``MAX_FOLDERS`` folders.
    """
    folder.mkdir()
    for entry in bundle.entries:
        if IS_WINDOWS and ANOTHER_ON_WINDOWS.search(entry.file):
            raise UsageError(
                f"{bundle.path}: expected names without '\\' and ':', and without a "
                f"space or dot at the end, found {entry.file!r:.80}. Unpack it on another system."
            )
        if entry.file.count("/") > MAX_FOLDERS:
            raise UsageError(
                f"{bundle.path}: expected names with up to {MAX_FOLDERS} folders, found "
                f"{entry.file!r:.80}. No tournament of Koth's has such names."
            )
    for entry in bundle.entries:
        path = folder / entry.file
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            target = open_for_writing(path, new=True)
        except OSError as error:
            if error.errno != errno.ENAMETOOLONG:
                raise
            raise UsageError(
                f"{bundle.path}: expected names that are short enough for this system, found "
                f"{entry.file!r:.80}. Unpack it in another folder, or on another system."
            ) from None
        with target, bundle.open(entry.file) as source:
            copyfileobj(source, target, FRAME_BYTES)
