"""``koth sign``: a tournament's files under one signature."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def sign(
    folder: Annotated[Path, typer.Argument(help="A tournament's folder.", metavar="DIR")],
    key: Annotated[
        Path, typer.Option(help="The private key, as `koth keygen` made it.", metavar="FILE")
    ],
    origin: Annotated[
        str | None,
        typer.Option(help="Whose tournament it is; the key's name, if not given.", metavar="NAME"),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Although there is another checkpoint.")
    ] = False,
) -> None:
    """Sign a tournament: all its files under one signature.

    They must fit together. The signature goes into DIR/checkpoint.
    """
    from replay.signatures import keys, signing
    from schema.discovery import CHECKPOINT

    private = keys.private_key(key)
    found, new = signing.sign(folder, private, private.name if origin is None else origin, replace)
    what = "signed" if new else "signed already"
    print(f"{folder / CHECKPOINT}: {what}, {found.size} files, by {private.name}")
