"""``koth games``: the games that are installed."""

from __future__ import annotations

import sys

import typer


def games() -> None:
    """List the games: name, rules version, protocol, title.

    Packages whose game cannot be used are named, with what is wrong with them.
    """
    from schema import registry
    from schema.errors import GameError
    from schema.place import printable

    sound, broken = registry.cards()
    for card in sound:
        print(f"{card.name}  {card.rules}  {card.protocol}  {card.title}")
    for error in broken:
        print(f"koth: {printable(str(error))}", file=sys.stderr)
    if broken:
        raise typer.Exit(GameError.exit_code)
