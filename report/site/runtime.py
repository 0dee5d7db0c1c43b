"""The archive of Koth's own code, and of games that are installed, for Python in a browser.

It is a zip file whose bytes depend on its contents only: sorted names, one date, no compression (a
web server compresses as it serves).
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution, entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from schema.registry import GROUP

PACKAGES = ("schema", "games", "replay")
"""Packages that run in the browser."""

DATA = ("audit",)
"""Packages whose data files the cards of games refer to; their code stays out."""

STAND_INS = ("__init__.py", "site/__init__.py", "site/in_browser.py", "site/stand_ins")
"""Files and folders of this package that run in the browser."""

METADATA = ("METADATA", "entry_points.txt")
"""Files by which the registry finds games."""

DATE = (1980, 1, 1, 0, 0, 0)
"""The first date that a zip file can have."""

UNIX = 3
"""The number of the system that made a file; Python writes another one on Windows."""


def archive() -> bytes:
    """Return the zip file. Equal installations give equal bytes."""
    contents = dict(_contents())
    target = io.BytesIO()
    with ZipFile(target, "w", ZIP_STORED) as zip:
        for name in sorted(contents):
            file = ZipInfo(name, DATE)
            file.create_system = UNIX
            zip.writestr(file, contents[name])
    return target.getvalue()


def _contents() -> Iterator[tuple[str, bytes]]:
    """Yield the paths and the bytes of all files."""
    for package in PACKAGES:
        yield from _tree(package, files(package))
    for package in DATA:
        for path, data in _tree(package, files(package)):
            if not path.endswith(".py") or path == f"{package}/__init__.py":
                yield path, data
    for name in STAND_INS:
        yield from _tree(f"report/{name}", files("report") / name)
    own = distribution("koth")
    yield from _metadata(own)
    for point in entry_points(group=GROUP):
        if point.dist is not None and point.dist.name != own.name:
            package = point.value.partition(".")[0]
            yield from _tree(package, files(package))
            yield from _metadata(point.dist)


def _tree(path: str, node: Traversable) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a package, without those that Python writes."""
    if node.is_file():
        yield path, node.read_bytes()
    elif node.name != "__pycache__":
        for child in node.iterdir():
            yield from _tree(f"{path}/{child.name}", child)


def _metadata(distribution: Distribution) -> Iterator[tuple[str, bytes]]:
    folder = f"{distribution.name.replace('-', '_')}-{distribution.version}.dist-info"
    for name in METADATA:
        yield f"{folder}/{name}", (distribution.read_text(name) or "").encode()
