"""``koth import``: convert old results to logs that are marked as imported."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from koth.cli.output import note


def import_(
    format: Annotated[
        str,
        typer.Argument(
            help="The format: `results`, `coup-history`, `bank-heist-transcript`, or one that the "
            "package of another game reads.",
            metavar="FORMAT",
            show_default=False,
        ),
    ],
    files: Annotated[
        list[Path], typer.Argument(help="The file; several for histories.", metavar="FILE")
    ],
    output: Annotated[Path, typer.Option("-o", help="A new folder for the logs.", metavar="DIR")],
) -> None:
    """Convert old results to sealed logs in a new folder.

    The logs have no seed, so they cannot be replayed.
    """
    from games.importing import formats, imported
    from schema.files import refuse_used

    refuse_used(output)
    results = formats.read(format, files)
    imported.write(results, output)
    if results.note is not None:
        note(results.note)
    note(f"imported into {output}: {results.summary}.")
