"""``koth unpack``: write the tournaments of an archive as folders."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from koth.cli.output import say


def unpack(
    archive: Annotated[
        Path, typer.Argument(help="An archive, or one of its bundles.", metavar="ARCHIVE")
    ],
    output: Annotated[
        Path,
        typer.Option("-o", help="A folder; each tournament becomes a folder in it.", metavar="DIR"),
    ],
) -> None:
    """Write the tournaments of an archive as folders.

    Every file has the same bytes as before.
    """
    from audit.archive import unpack

    for name in unpack(archive, output):
        say(output / name)
