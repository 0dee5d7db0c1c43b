"""``koth replay``: the state of a match at any event."""

from __future__ import annotations

from typing import Annotated

import typer

from koth.options import Format, Log, TextOrJson


def replay(
    log: Log,
    at: Annotated[
        int | None, typer.Option(help="The event, by its seq; the last if not given.", min=0)
    ] = None,
    format: Format = TextOrJson.TEXT,
) -> None:
    """Rebuild the state at an event from seed and answers."""
    from replay import render
    from replay.state import state_at
    from schema.reader import read

    step = state_at(read(log), at)
    print(render.state_json(step) if format is TextOrJson.JSON else render.state_text(step))
