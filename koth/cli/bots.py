"""``koth bots``: the example bots of a game."""

from __future__ import annotations

from koth.cli.options import Game


def bots(game: Game) -> None:
    """List a game's example bots, each with its character."""
    from referee.roster.resolve import character, examples
    from schema import registry

    found = examples(registry.card(game))
    width = max((len(path.stem) for path in found), default=0)
    for path in found:
        print(f"{path.stem:{width}}  {character(path)}")
