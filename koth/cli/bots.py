"""``koth bots``: list the example bots of a game, or describe the processes of bots."""

from __future__ import annotations

from typing import Annotated

import typer

from koth.cli import completion
from koth.cli.options import Game
from koth.cli.output import say
from schema.log_path import printable


def bots(
    game: Game,
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            help="Bots, as for `koth play`: say which share a process.",
            metavar="BOT",
            autocompletion=completion.bots,
        ),
    ] = None,
) -> None:
    """List a game's example bots, or say which of some bots share a process.

    A bot plays several times as fast if its decisions (in Smallest Unique Number, its matches)
    share a process. They do if its source proves that they cannot notice each other; otherwise
    the first line is shown that the proof rejects.
    """
    from referee.roster.resolve import character, examples, resolve
    from referee.self_contained.sharing import sharing
    from schema import registry
    from schema.columns import aligned

    card = registry.card(game)
    rows: list[tuple[str, ...]]
    if bots:
        named = [(bot.name, sharing(bot, card.protocol)) for bot in resolve(bots, card)]
        rows = [(name, f"{how.process:16}", how.reason) for name, how in named]
    else:
        rows = [(path.stem, character(path)) for path in examples(card)]
    for line in aligned(rows):
        say(printable(line))
