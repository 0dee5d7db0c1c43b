"""``koth blame``: find the decisions of a seat that cost it most."""

from __future__ import annotations

from shlex import quote
from typing import Annotated

import typer

from koth.cli import inputs, progress
from koth.cli import isolation as isolation_level
from koth.cli.options import (
    AnyFiles,
    Bind,
    Cold,
    Format,
    IsolationOption,
    LocalJobs,
    Log,
    More,
    OtherBots,
    TextOrJson,
)
from koth.cli.output import say
from schema.errors import UsageError


def blame(
    log: Log,
    seat: Annotated[
        int, typer.Option(help="The seat whose decisions to try.", min=0, metavar="SEAT")
    ],
    bots: OtherBots = None,
    more: More = None,
    at: Annotated[
        list[str] | None,
        typer.Option(
            help="Try only the decision of this event, or those of some events; repeatable.",
            metavar="SEQ|SEQ-SEQ",
        ),
    ] = None,
    jobs: LocalJobs = 1,
    any_files: AnyFiles = False,
    isolation: IsolationOption = None,
    cold: Cold = False,
    bind: Bind = None,
    format: Format = TextOrJson.TEXT,
) -> None:
    """Try every other legal answer of a seat, and rank its decisions by the swing.

    Each alternative is played to the end of the match by the real bots, with the same dice. The
    swing is the change of the score in this match; it does not say which answer is best in general.
    """
    from koth.library import rematches
    from koth.workers import workers
    from replay.blame import Blamed, rank
    from replay.blame_render import blame_json, blame_text
    from replay.reask import read_verified

    words = [*(bots or ()), *(more or ())]
    ranges = [_range(word) for word in at or ()]
    recorded = read_verified(log)
    seated = rematches.all_bots(recorded, words, any_files)
    inputs.warn(rematches.not_asked(recorded, words, seated))
    level = isolation_level.choose(isolation)
    seated = isolation_level.with_binds(seated, bind, level)
    cast = rematches.Cast(log, seated, level, cold)
    decisions = rematches.to_blame(
        recorded, seat, lambda seq: not ranges or any(seq in events for events in ranges)
    )
    tried: list[Blamed] = []
    try:
        with workers(jobs) as mapper, progress.bar("tried") as show:
            for blamed in rematches.blame(recorded, seat, decisions, cast, mapper):
                tried.append(blamed)
                show(len(tried), len(decisions))
    finally:
        if tried:
            result = rank(recorded, seat, tried, not_tried=len(decisions) - len(tried))
            if format is TextOrJson.JSON:
                say(blame_json(result))
            else:
                options = ["--bots", *(words or ["examples"])]
                options += [*["--any-files"] * any_files, *["--cold"] * cold]
                options += [f"--bind={path}" for path in bind or ()]
                say(blame_text(result, " ".join(map(quote, options))))


def _range(word: str) -> range:
    """Return the events that a word names. Raises UsageError."""
    first, dash, last = word.partition("-")
    numbers = first.isdecimal() and (last if dash else first).isdecimal() and len(word) <= 40
    if not numbers or int(last or first) < int(first):
        raise UsageError(f"--at: expected SEQ or SEQ-SEQ, such as 17 or 10-40, found '{word}'.")
    return range(int(first), int(last or first) + 1)
