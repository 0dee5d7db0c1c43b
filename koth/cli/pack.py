"""``koth pack``: tournaments into an archive."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from koth.cli import progress
from koth.cli.options import Cluster, Jobs, Shared
from koth.workers import workers


def pack(
    output: Annotated[Path, typer.Option("-o", help="The archive, a folder.", metavar="ARCHIVE")],
    tournaments: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Folders of tournaments; without any, only missing Parquet tables are made.",
            metavar="DIR",
        ),
    ] = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    shared: Shared = None,
) -> None:
    """Put tournaments into an archive, losslessly.

    Parquet tables lie beside the bundles. Tournaments that are there already stay.
    """
    from audit import archive
    from schema.executor import with_progress
    from schema.words import counted

    with progress.bar("read") as shown, workers(jobs, cluster, shared) as each:
        done = archive.pack(tournaments or [], output, with_progress(each, shown))
    for one in done:
        what = "packed" if one.new else "there already"
        files = counted(one.files, "file")
        print(f"{one.bundle.path}: {what}, {files}, {one.size} bytes in {one.packed}")
