"""``koth unpack``: an archive back into folders."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def unpack(
    archive: Annotated[
        Path, typer.Argument(help="An archive, or one bundle of it.", metavar="ARCHIVE")
    ],
    output: Annotated[
        Path,
        typer.Option("-o", help="Where to: each tournament gets a folder in it.", metavar="DIR"),
    ],
) -> None:
    """Give back every byte of an archive's tournaments.

    Each goes into a folder of its name.
    """
    from audit.archive import unpack

    for name in unpack(archive, output):
        print(output / name)
