"""``koth prove``: prove that one log belongs to a signed tournament."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def prove(
    path: Annotated[
        Path, typer.Argument(help="A signed tournament's folder or bundle.", metavar="DIR")
    ],
    match: Annotated[
        str,
        typer.Argument(
            help="A match's id, such as 1-000017, or `tournament` for the tournament's own log.",
            metavar="MATCH",
        ),
    ],
    output: Annotated[Path, typer.Option("-o", help="A new file for the proof.", metavar="FILE")],
    key: Annotated[
        str | None,
        typer.Option(
            help="The public key, as text or as a file; FILE becomes a new folder with all files "
            "that a contestant needs.",
            metavar="VKEY",
        ),
    ] = None,
) -> None:
    """Prove that one log belongs to a signed tournament.

    `koth verify LOG --proof FILE` checks the proof without the other logs. With --key, FILE is a
    folder for the contestant: log, evidence, proof, public key, and instructions.
    """
    from replay import proof_folder
    from replay.signatures import signing

    if key is not None:
        print(f"{output}: {proof_folder.write(path, match, key, output)}")
        return
    index, size = signing.prove(path, match, output)
    print(f"{output}: proves that {match} is number {index} of {size} files")
