"""``koth keygen``: make a key pair for signing tournaments."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from koth.cli.output import say


def keygen(
    name: Annotated[
        str,
        typer.Argument(
            help="The key's name, such as example.com/spring; no white space, no plus sign.",
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
    """Make a key pair for signing, and print the public key.

    FILE receives the private key, FILE.pub the public key. Publish the public key and the origin.
    """
    from replay.signatures.keys import make_key

    say(make_key(name, output))
