"""``koth import``: results from before, as logs that say that they were imported."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def import_(
    format: Annotated[
        str,
        typer.Argument(
            help="What the files are: `bank-heist-transcript`, `results` or `coup-history`.",
            metavar="FORMAT",
            show_default=False,
        ),
    ],
    files: Annotated[
        list[Path], typer.Argument(help="The file; histories may be many.", metavar="FILE")
    ],
    output: Annotated[Path, typer.Option("-o", help="A new folder for it.", metavar="DIR")],
) -> None:
    """Write old results as sealed logs into a new folder.

    They say what was seen, without a seed: there is nothing to re-run.
    """
    from games.importing import formats, imported

    imported.check_new(output)
    found = formats.read(format, files)
    imported.write(found, output)
    if found.note is not None:
        print(f"koth: {found.note}", file=sys.stderr)
    print(f"koth: imported into {output}: {found.summary}.", file=sys.stderr)
