"""``koth sign``: sign all files of a tournament, or the lines of a contest."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from koth.cli.output import say


def sign(
    folder: Annotated[
        Path, typer.Argument(help="The folder of a tournament or of a contest.", metavar="DIR")
    ],
    key: Annotated[Path, typer.Option(help="The private key, from `koth keygen`.", metavar="FILE")],
    origin: Annotated[
        str | None,
        typer.Option(
            help="The name under which it is published. Default: the key's name.",
            metavar="NAME",
        ),
    ] = None,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Replace another checkpoint that already exists."),
    ] = False,
) -> None:
    """Sign all files of a tournament, or a contest so far, with one signature.

    The files must be consistent. The signature goes into DIR/checkpoint. Sign a contest again when
    it has grown; DIR/checkpoints keeps all its checkpoints.
    """
    from replay.signatures import keys, signing
    from schema.discovery import CHECKPOINT, CONTEST
    from schema.words import counted

    private = keys.private_key(key)
    origin = private.name if origin is None else origin
    checkpoint, new = signing.sign(folder, private, origin, replace)
    status = "signed" if new else "already signed"
    covered = counted(checkpoint.size, "line" if (folder / CONTEST).is_file() else "file")
    say(f"{folder / CHECKPOINT}: {status}, {covered}, by {private.name}")
