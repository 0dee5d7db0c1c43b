"""``koth sign``: sign all files of a tournament."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def sign(
    folder: Annotated[Path, typer.Argument(help="A tournament's folder.", metavar="DIR")],
    key: Annotated[Path, typer.Option(help="The private key, from `koth keygen`.", metavar="FILE")],
    origin: Annotated[
        str | None,
        typer.Option(
            help="The name under which the tournament is published. Default: the key's name.",
            metavar="NAME",
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace a different checkpoint that already exists.")
    ] = False,
) -> None:
    """Sign all files of a tournament with one signature.

    The files must be consistent. The signature goes into DIR/checkpoint.
    """
    from replay.signatures import keys, signing
    from schema.discovery import CHECKPOINT

    private = keys.private_key(key)
    origin = private.name if origin is None else origin
    checkpoint, new = signing.sign(folder, private, origin, replace)
    status = "signed" if new else "already signed"
    print(f"{folder / CHECKPOINT}: {status}, {checkpoint.size} files, by {private.name}")
