"""``koth keygen``: a key to sign tournaments with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def keygen(
    name: Annotated[
        str,
        typer.Argument(
            help="Whose it is, such as example.com/spring; no white space, no plus.",
            metavar="NAME",
        ),
    ] = "koth",
    output: Annotated[
        Path,
        typer.Option(
            "-o", help="A new file for the private key, outside of tournaments.", metavar="FILE"
        ),
    ] = Path("koth.key"),
) -> None:
    """Make a key to sign with, and print its public part.

    The private part goes into FILE, the public one also into FILE.pub: it is to be published, with
    the origin.
    """
    from replay.signatures.keys import make_key

    print(make_key(name, output))
