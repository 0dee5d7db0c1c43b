"""Rulebooks: the numbered clauses of a game, out of its RULES.md."""

from __future__ import annotations

import re

from schema import registry
from schema.errors import UsageError
from schema.registry import Card, CardError

_CLAUSE = re.compile(r"^- \*\*([A-Z]+-[0-9]+)\*\* (.*?)(?=^- \*\*[A-Z]|^#|^$|\Z)", re.M | re.S)


def text(card: Card) -> str:
    """The whole rulebook of a game. Raises CardError when it cannot be read."""
    try:
        return card.rulebook.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise CardError(f"{card.rulebook}: the rulebook of a game is broken: {error}.") from None


def clauses(card: Card) -> dict[str, str]:
    """The clauses of a game's rulebook, by number, each as one paragraph of text."""
    return {found[1]: " ".join(found[2].split()) for found in _CLAUSE.finditer(text(card))}


def clause(card: Card, number: str) -> str:
    """The text of one clause. Raises UsageError when the rulebook has no such number."""
    known = clauses(card)
    if number not in known:
        hint = registry.suggest(number, list(known))
        raise UsageError(f"{card.title} has no clause '{number}'.{hint}")
    return known[number]
