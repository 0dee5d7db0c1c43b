"""``koth export``: a log in the form that people knew before."""

from __future__ import annotations

from typing import Annotated

import typer

from koth.cli.options import Log

FORMS = ("transcript",)


def export(
    form: Annotated[
        str, typer.Argument(help="What to write: `transcript`.", metavar="FORM", show_default=False)
    ],
    log: Log,
) -> None:
    """Write a log as text, as was customary.

    A match becomes its game's transcript, a tournament's own log its final table.
    """
    from schema import reader
    from schema.errors import UsageError
    from schema.registry import suggest

    if form not in FORMS:
        raise UsageError(f"there is no export '{form}'.{suggest(form, list(FORMS))}")
    found = reader.read(log)
    transcript = found.version.transcript(found.kind)
    if transcript is None:
        other = "tournament" if found.kind == "match" else "match"
        raise UsageError(
            f"{log}: {found.card.title} has no transcript of a {found.kind}, "
            f"but of a {other}; give the log of one."
        )
    print(transcript(found), end="")
