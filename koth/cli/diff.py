"""``koth diff``: where two logs part, and what followed from it."""

from __future__ import annotations

import typer

from koth.cli.options import Format, Log, Other, TextOrJson


def diff(
    log: Log,
    other: Other,
    format: Format = TextOrJson.TEXT,
) -> None:
    """Show where two logs first differ, and what followed."""
    from replay import render
    from replay.diff import diff

    found = diff(log, other)
    print(
        render.difference_json(found)
        if format is TextOrJson.JSON
        else render.difference_text(found)
    )
    raise typer.Exit(0 if found.seq is None else 1)
