"""``koth reask``: did the bots really answer that?"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from koth.cli import inputs
from koth.cli.options import Bind, Bots, Cold, Format, Log, TextOrJson
from schema.log_path import printable


def reask(
    log: Log,
    bots: Bots,
    any_files: Annotated[
        bool, typer.Option("--any-files", help="Although their files are not the recorded ones.")
    ] = False,
    cold: Cold = False,
    bind: Bind = None,
    format: Format = TextOrJson.TEXT,
) -> None:
    """Ask the bots of a match again, and list what differs.

    Every question is put to them twice over, as the replay recomputes it and with the seeds of
    then; where an answer differs, 20 times. A bot that contradicts itself shows nothing about
    the log.
    """
    from referee import reasking
    from replay import render
    from replay.reask import read_verified, reask

    recorded = read_verified(log)
    seated, left = reasking.chosen(recorded, bots, any_files)
    if left:
        more = f" and {len(left) - 5} more" if len(left) > 5 else ""
        names = printable(", ".join(left[:5]))
        print(f"koth: given, but not asked: {names}{more}.", file=sys.stderr)
    level = inputs.isolation(None)
    seated = inputs.bound(seated, bind, level)
    found = reask(recorded, lambda: reasking.session(recorded, seated, level, cold))
    print(render.reask_json(found) if format is TextOrJson.JSON else render.reask_text(found))
    raise typer.Exit(1 if found.differences else 0)
