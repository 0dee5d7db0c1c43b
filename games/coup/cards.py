"""The court deck: five cards, their two symbols, and what each lets its owner do."""

from __future__ import annotations

NAMES = {"~": "Ambassador", "^": "Assassin", "*": "Captain", "!": "Contessa", "$": "Duke"}
"""Card names by show symbol; a hand is a string of show symbols."""

GIVEN_UP = {"~": "_", "^": "'", "*": "<", "!": "=", "$": "0"}
"""The symbol written when a card is given up, by its show symbol."""

SHOWN = {given_up: shown for shown, given_up in GIVEN_UP.items()}

CLAIMS = {"E": "~", "T": "$", "A": "^", "S": "*", "a": "~", "c": "*", "d": "$", "s": "!"}
"""The card that an action or a block claims to hold."""

DECK = tuple(card for card in NAMES for _ in range(3))


def numbered(cards: str | tuple[str, ...]) -> list[str]:
    """``cards`` as distinct items for a shuffle: ``Duke1``, ``Duke2``, …, by name and number."""
    return [f"{name}{n + 1}" for card, name in NAMES.items() for n in range(cards.count(card))]


def symbols(items: list[str]) -> str:
    """Shuffled items back as show symbols, in their order."""
    by_name = {name: card for card, name in NAMES.items()}
    return "".join(by_name[item[:-1]] for item in items)
