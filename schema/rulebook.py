"""Rulebooks: the numbered clauses of a game, out of its RULES.md."""

from __future__ import annotations

import re

from schema import registry
from schema.errors import UsageError
from schema.registry import Card

_CLAUSE = re.compile(r"^- \*\*([A-Z]+-[0-9]+)\*\* (.*?)(?=^- \*\*[A-Z]|^#|^$|\Z)", re.M | re.S)


def clauses(card: Card) -> dict[str, str]:
    """The clauses of a game's rulebook, by number, each as one paragraph of text."""
    text = card.rulebook.read_text()
    return {found[1]: " ".join(found[2].split()) for found in _CLAUSE.finditer(text)}


def clause(card: Card, number: str) -> str:
    """The text of one clause. Raises UsageError when the rulebook has no such number."""
    known = clauses(card)
    if number not in known:
        hint = registry.suggest(number, list(known))
        raise UsageError(f"{card.title} has no clause '{number}'.{hint}")
    return known[number]
