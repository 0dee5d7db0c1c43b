"""``koth diff``: show the first difference of two logs."""

from __future__ import annotations

import typer

from koth.cli.options import Format, Log, Other, TextOrJson
from koth.cli.output import say


def diff(
    log: Log,
    other: Other,
    format: Format = TextOrJson.TEXT,
) -> None:
    """Show the first difference of two logs and the next events."""
    from replay import render
    from replay.diff import diff

    difference = diff(log, other)
    as_json = format is TextOrJson.JSON
    say(render.difference_json(difference) if as_json else render.difference_text(difference))
    raise typer.Exit(0 if difference.seq is None else 1)
