"""``koth pack``: add tournaments to an archive."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from koth.cli import progress
from koth.cli.options import Cluster, Jobs, Shared
from koth.cli.output import say
from koth.workers import workers
from schema.executor import with_progress


def pack(
    output: Annotated[
        Path, typer.Option("-o", help="The folder of the archive.", metavar="ARCHIVE")
    ],
    tournaments: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Folders of tournaments or closed contests. "
            "Default: only write missing Parquet tables.",
            metavar="DIR",
        ),
    ] = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    shared: Shared = None,
) -> None:
    """Add tournaments to an archive, without loss.

    Each tournament becomes a bundle and Parquet tables. Tournaments that are already in the archive
    do not change.
    """
    from audit import archive
    from schema.words import counted

    with workers(jobs, cluster, shared) as mapper, progress.bar("read") as show:
        bundles = archive.pack(tournaments or [], output, with_progress(mapper, show))
    for packed in bundles:
        status = "packed" if packed.new else "already packed"
        files = counted(packed.files, "file")
        say(f"{packed.bundle.path}: {status}, {files}, {packed.size} bytes in {packed.packed}")
