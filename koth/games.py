"""``koth games``: the games that are installed."""

from __future__ import annotations


def games() -> None:
    """List the games: name, rules version, protocol, title."""
    from schema import registry

    for name in registry.names():
        card = registry.card(name)
        print(f"{card.name}  {card.rules}  {card.protocol}  {card.title}")
