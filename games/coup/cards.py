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

DECK = tuple(card for card in NAMES for _ in range(3))


def numbered(cards: str | tuple[str, ...]) -> list[str]:
    """Return ``cards`` as distinct items for a shuffle: ``Duke1``, ``Duke2``, …, by name."""
    return [f"{name}{n + 1}" for card, name in NAMES.items() for n in range(cards.count(card))]


def symbols(items: list[str]) -> str:
    """Return shuffled items as cards, in their order."""
    cards = {name: card for card, name in NAMES.items()}
    return "".join(cards[item[:-1]] for item in items)
