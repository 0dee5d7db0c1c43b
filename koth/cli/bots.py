"""``koth bots``: list the example bots of a game."""

from __future__ import annotations

from koth.cli.options import Game


def bots(game: Game) -> None:
    """List a game's example bots, each with a description."""
    from referee.roster.resolve import character, examples
    from schema import registry

    paths = examples(registry.card(game))
    width = max((len(path.stem) for path in paths), default=0)
    for path in paths:
        print(f"{path.stem:{width}}  {character(path)}")
