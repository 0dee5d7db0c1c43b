"""``koth again``: play a recorded match with a changed bot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from koth.cli import inputs
from koth.cli import isolation as isolation_level
from koth.cli.options import (
    AnyFiles,
    Bind,
    Cold,
    Format,
    IsolationOption,
    Log,
    Mine,
    More,
    OtherBots,
    OwnSeat,
    TextOrJson,
)
from koth.cli.output import note, say


def again(
    log: Log,
    mine: Mine,
    seat: OwnSeat = None,
    bots: OtherBots = None,
    more: More = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", help="Keep the new match as this log.", metavar="LOG"),
    ] = None,
    any_files: AnyFiles = False,
    isolation: IsolationOption = None,
    cold: Cold = False,
    bind: Bind = None,
    format: Format = TextOrJson.TEXT,
) -> None:
    """Play a recorded match again with a changed bot, and show what changes.

    The dice and the bots' seeds are the recorded ones. The recorded answers of another seat count
    as long as all questions to it are the recorded ones. Then its own bot must answer.
    """
    from koth.library import rematches
    from referee import reasking
    from replay.again_render import again_json, again_text
    from replay.reask import read_verified

    recorded = read_verified(log)
    bot = rematches.one_bot(mine, recorded, seat)
    own = reasking.seat_of(recorded, bot, seat)
    words = [*(bots or ()), *(more or ())]
    seated = rematches.seated_bots(recorded, words, any_files, own)
    seated[own] = reasking.named_as(recorded, bot, own)
    inputs.warn(rematches.not_asked(recorded, words, seated))
    level = isolation_level.choose(isolation)
    seated = isolation_level.with_binds(seated, bind, level)
    result = rematches.play_again(recorded, own, seated, level, cold, output)
    say(again_json(result) if format is TextOrJson.JSON else again_text(result))
    if result.missing is not None:
        name = recorded.start["players"][result.missing]["name"]
        kept = "" if output is None else f" {output} is not written."
        note(f"name the bot of seat {result.missing}, {name}, with --bots.{kept}")
    raise typer.Exit(0 if result.same else 1)
