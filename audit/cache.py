"""What was read of a folder's logs, kept for the next time: a folder unchanged opens at once.

Reading logs strictly takes most of the time that a query, a leaderboard or an audit takes. So the
raw tables of :mod:`audit.tables` are kept as Parquet, in one file under a key. The key stands for

- every file that was read: its path, its size, its inode, when it and its inode last changed;
- whatever reads: the code of the packages ``schema`` and ``audit``, the libraries, the games.

Whatever changes there, the key is another, and the logs are read again. As with git, a file that
changed less than two seconds ago is not trusted to show its next change; nothing is kept then, nor
when a file could not be opened, which its key would not show. Evidence is not kept.

A cache is its user's own: who can write there can change what queries, leaderboards and audits
see, so a folder of somebody else, or one that all can write to, is not used. A damaged file is
found by its hash and made again. ``koth verify`` always reads the logs. Wherever there cannot be a
cache, as on a full disk, everything is read each time.

The files lie in ``$XDG_CACHE_HOME/koth``, else ``~/.cache/koth``; ``KOTH_CACHE`` names another
folder, or is ``off``. The least recently used are removed when all together are too large.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import NamedTemporaryFile
from zipfile import ZipFile

import duckdb
import orjson
import pydantic

from audit.spool import Task
from schema import registry
from schema.bundle import Member
from schema.errors import KothError
from schema.seal import hex_digest

CACHE = "KOTH_CACHE"
"""The environment variable that names the folder, or is ``off``."""
OFF = "off"
LEAST = 4 << 20
"""Fewer bytes of logs are read quickly enough. Those in bundles do not count: they have tables."""
MOST = 2 << 30
"""How many bytes all files together may have."""
RACY = 2_000_000_000
"""A file has to be unchanged for so many nanoseconds."""
SUFFIX = ".koth-cache"


def key(tasks: Iterable[Task], *how: object) -> str | None:
    """What stands for the files to be read, for what reads them, and for ``how``.

    None if they are small, or changed just now, or if there is to be no cache.
    """
    if os.environ.get(CACHE) == OFF:
        return None
    listing = []
    size = 0
    try:
        now = time.time_ns()
        for task in tasks:
            bundle = task.path.bundle if isinstance(task.path, Member) else None
            path = bundle.path if bundle else Path(str(task.path))
            told = path.stat()
            if max(told.st_mtime_ns, told.st_ctime_ns) > now - RACY:
                return None
            size += 0 if bundle else told.st_size
            stamp = (told.st_dev, told.st_ino, told.st_size, told.st_mtime_ns, told.st_ctime_ns)
            place = (str(task.path), str(path.absolute()), bundle is None)
            listing.append((task.number, task.current_only, *place, *stamp))
        if size < LEAST:
            return None
        return hex_digest(repr((listing, how, _reading())).encode())
    except (OSError, KothError):
        return None


def fetch(key: str, target: Path) -> bool:
    """Put the files kept under ``key`` into the new folder ``target``; whether there are any."""
    try:
        folder = _folder()
        for path in sorted(folder.glob(f"{key}-*{SUFFIX}")) if folder else []:
            with path.open("rb") as file:
                if path.name != _name(key, hashlib.file_digest(file, "sha256").hexdigest()):
                    path.unlink()
                    continue
                with ZipFile(file) as kept:
                    kept.extractall(target)
            with suppress(OSError):  # it is used, though it may be all that can be
                os.utime(path)
            return True
    except OSError:
        pass
    return False


def store(key: str, paths: Iterable[Path]) -> None:
    """Keep these files under ``key``, if that can be."""
    try:
        folder = _folder()
        if not folder:
            return
        # With the suffix, so that what a killed process leaves is removed in its turn.
        with NamedTemporaryFile(dir=folder, prefix=".", suffix=SUFFIX, delete=False) as file:
            temporary = Path(file.name)
            try:
                with ZipFile(file, "w") as kept:
                    for path in paths:
                        kept.write(path, path.name)
                file.seek(0)
                digest = hashlib.file_digest(file, "sha256").hexdigest()
                temporary.replace(folder / _name(key, digest))
            finally:
                temporary.unlink(missing_ok=True)
        _bound(folder)
    except OSError:
        pass


def _folder() -> Path | None:
    """The folder, made if need be; None if there is none that is the user's own."""
    named = os.environ.get(CACHE)
    if named == OFF:
        return None
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        home = Path(base) if base.startswith("/") else Path.home() / ".cache"
    except RuntimeError:  # nobody's
        return None
    folder = Path(named) if named else home / "koth"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    told = folder.stat()
    return folder if told.st_uid == os.getuid() and not told.st_mode & 0o002 else None


def _name(key: str, digest: str) -> str:
    """What a file is called: by its key, and by the hash of its bytes."""
    return f"{key}-{digest}{SUFFIX}"


def _bound(folder: Path) -> None:
    """Remove the least recently used files until all others together are small enough."""
    found = [(path.stat(), path) for path in folder.iterdir() if path.name.endswith(SUFFIX)]
    total = sum(told.st_size for told, _ in found)
    for told, path in sorted(found, key=lambda one: one[0].st_mtime_ns):
        if total > MOST:
            path.unlink(missing_ok=True)
            total -= told.st_size


@cache
def _reading() -> str:
    """What stands for all that reads logs. Raises OSError."""
    cards = registry.cards()[0]  # with their event models imported
    events = [version.events for card in cards for version in card.versions.values()]
    modules = {sys.modules[event.partition(":")[0]].__file__ or "" for event in events}
    folders = [Path(str(files(name))) for name in ("schema", "audit")]
    code = {*(path for folder in folders for path in folder.rglob("*.py")), *map(Path, modules)}
    libraries = (sys.version, duckdb.__version__, orjson.__version__, pydantic.VERSION)
    texts = [path.read_bytes() for path in sorted(code)]
    return hex_digest(repr((libraries, cards, texts)).encode())
