"""``koth reask``: check recorded answers by asking the bots again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from koth.cli import isolation
from koth.cli.options import AnyFiles, Bind, Cold, Format, Log, OptionalBots, TextOrJson
from koth.cli.output import note, say
from schema.words import first_names

if TYPE_CHECKING:
    from referee.bot import Bot


def reask(
    log: Log,
    bots: OptionalBots = None,
    any_files: AnyFiles = False,
    cold: Cold = False,
    bind: Bind = None,
    format: Format = TextOrJson.TEXT,
) -> None:
    """Ask the bots of a match again, and list the differences.

    Every recomputed question is asked twice, with the original bot seeds; 20 times if an answer
    differs. A bot that contradicts itself proves nothing about the log. Bots that are not there are
    not asked, so authors need only their own.
    """
    from koth.library import rematches
    from referee import reasking
    from referee.errors import BotsError
    from replay import reask_render
    from replay.reask import read_verified, reask

    recorded = read_verified(log)
    seated: list[Bot | None] = [None] * len(recorded.start["players"])
    unused: list[str] = []
    if bots:
        seated, unused = reasking.chosen(recorded, bots, any_files)
    seated = rematches.with_known(recorded, seated)
    if not any(seated):
        raise BotsError(
            f"{log}: expected a match of example bots, or one in the folder of a contest. Name its "
            "bots."
        )
    if unused:
        players = {player["name"] for player in recorded.start["players"]}
        changed = [] if any_files else [name for name in unused if name in players]
        hint = f" {changed[0]} played with other files; --any-files asks these." if changed else ""
        note(f"given, but not asked: {first_names(unused)}.{hint}")
    level = isolation.choose(None)
    seated = isolation.with_binds(seated, bind, level)
    seats = [seat for seat, bot in enumerate(seated) if bot is not None]
    absent = [player["name"] for player in recorded.start["players"] if player["seat"] not in seats]
    if absent:
        note(f"not asked, because their bots are not there: {first_names(absent)}.")
    result = reask(recorded, lambda: reasking.partial_session(recorded, seated, level, cold), seats)
    as_json = format is TextOrJson.JSON
    render = reask_render.reask_json if as_json else reask_render.reask_text
    say(render(recorded, result))
    raise typer.Exit(1 if result.differences else 0)
