"""``koth reask``: did the bots really answer that?"""

from __future__ import annotations

from typing import Annotated

import typer

from koth import inputs
from koth.options import Bind, Bots, Cold, Format, Log, TextOrJson


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
    then. A bot that does not answer itself the same shows nothing about the log.
    """
    from referee import again
    from referee.roster import resolve
    from replay import render
    from replay.reask import checked, reask

    recorded = checked(log)
    level = inputs.isolation(None)
    given = inputs.bound(resolve(bots, recorded.card), bind, level)
    seated = again.seated(recorded, given, any_files)
    with (
        again.session(recorded, seated, level, cold) as first,
        again.session(recorded, seated, level, cold) as second,
    ):
        found = reask(recorded, first, second)
    print(render.reasked_json(found) if format is TextOrJson.JSON else render.reasked_text(found))
    raise typer.Exit(1 if found.differences else 0)
