"""The court deck: five cards, their symbols, and the claims that they cover.

A card is written as its show symbol, and a hand as a string of them.
"""

from __future__ import annotations

NAMES = {"~": "Ambassador", "^": "Assassin", "*": "Captain", "!": "Contessa", "$": "Duke"}
"""Names by card."""

GIVE_UP = {"~": "_", "^": "'", "*": "<", "!": "=", "$": "0"}
"""The give-up symbol of each card."""

GIVEN_UP_CARD = {symbol: card for card, symbol in GIVE_UP.items()}
"""The card of each give-up symbol."""

CLAIMS = {"E": "~", "T": "$", "A": "^", "S": "*", "a": "~", "c": "*", "d": "$", "s": "!"}
"""The card that each action and each block claims."""

ITEMS = {card: (f"{name}1", f"{name}2", f"{name}3") for card, name in NAMES.items()}
"""The items of a shuffle by card, which are distinct: ``Duke1``, ``Duke2``, ``Duke3``."""

CARD_OF = {item: card for card, items in ITEMS.items() for item in items}

DECK = "".join(CARD_OF.values())


def numbered(cards: str) -> list[str]:
    """Return ``cards`` as items of a shuffle, by name, each numbered from 1."""
    return [item for card, items in ITEMS.items() for item in items[: cards.count(card)]]


def symbols(items: list[str]) -> str:
    """Return shuffled items as cards, in their order."""
    return "".join([CARD_OF[item] for item in items])
