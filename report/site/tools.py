"""Write the two tools that run in a browser: ``verify.html`` and ``sql.html``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import orjson

from audit.tables import Database, open_database
from replay.signatures.signer import ExpectedSigner
from report.page import FOLDER
from report.site import database, packages, runtime
from schema.log_path import LogPath
from schema.logs import Logs

PAGES = Path(__file__).parent / "pages"
TOOLS, DATA = "tools", "data"
"""Folders of the site."""

RUNTIME = "koth.zip"

Tools = Callable[[Path, Mapping[LogPath, str]], object]
"""Writes pages with their assets into a folder, given the logs with their paths on the site."""


def writer(paths: Sequence[Path], downloads: Path, signer: ExpectedSigner | None = None) -> Tools:
    """Return a function that writes the tools for the logs at ``paths`` into a folder.

    The page that verifies offers the key and the origin of ``signer``. The tables are made from the
    logs, as the pages of the site are, not from the Parquet files of an archive. Raises
    ToolsMissing if ``downloads`` lacks a file.
    """
    packages.check(downloads)

    def write(folder: Path, published: Mapping[LogPath, str]) -> None:
        logs = Logs.of(published)
        with open_database(paths, on_disk=True, from_archives=False, logs=logs) as tables:
            write_tools(folder, tables, published, downloads, signer)

    return write


def write_tools(
    folder: Path,
    tables: Database,
    published: Mapping[LogPath, str],
    downloads: Path,
    signer: ExpectedSigner | None = None,
) -> None:
    """Write both pages, and what they load, into the folder of a site.

    ``published`` are the logs, with their paths on the site.
    ``downloads`` is a folder with the pinned files, which :func:`report.site.packages.check` has
    checked. Raises AuditError and OSError.
    """
    for name, content in _files(downloads, signer):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    data = folder / DATA
    data.mkdir(exist_ok=True)
    catalog = database.write(tables, data / "tables.duckdb", published)
    (data / "catalog.json").write_bytes(orjson.dumps(catalog))


def _files(downloads: Path, signer: ExpectedSigner | None) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the bytes of each file that does not depend on the logs."""
    for page in sorted(PAGES.iterdir()):
        path = page.name if page.suffix == ".html" else f"{TOOLS}/{page.name}"
        yield path, page.read_bytes()
    yield f"{TOOLS}/base.css", (FOLDER / "base.css").read_bytes()
    yield f"{TOOLS}/{RUNTIME}", runtime.archive()
    about = {
        "version": version("koth"),
        "archives": [*packages.WHEELS, RUNTIME],
        "signer": signer and {"key": str(signer.key), "origin": signer.origin},
    }
    yield f"{TOOLS}/runtime.json", orjson.dumps(about)
    for name, data in packages.members(downloads):
        yield f"{TOOLS}/{name}", data
