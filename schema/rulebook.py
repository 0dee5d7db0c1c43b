"""Read rulebooks: the numbered clauses in the RULES.md of a game."""

from __future__ import annotations

import re
from collections.abc import Mapping

from schema.card import Card
from schema.errors import UsageError
from schema.rules_version import CardError
from schema.words import suggest

_CLAUSE = re.compile(r"^- \*\*([A-Z]+-[0-9]+)\*\* (.*?)(?=^- \*\*[A-Z]|^#|^$|\Z)", re.M | re.S)


def text(card: Card) -> str:
    """Return the whole rulebook of a game. Raises CardError if it cannot be read."""
    try:
        return card.rulebook.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CardError(f"{card.rulebook}: the rulebook of a game is broken: {error}.") from None


def check(card: Card) -> None:
    """Raise CardError if a rulebook cannot be read, or has one number twice."""
    seen: set[str] = set()
    for match in _CLAUSE.finditer(text(card)):
        if match[1] in seen:
            raise CardError(f"{card.rulebook}: expected each clause once, found {match[1]} twice.")
        seen.add(match[1])


def cited(clauses: Mapping[str, str], number: str) -> str:
    """Return the text of the clause that an event cites, and a sentence if there is no such one."""
    return clauses.get(number, "The rulebook has no such clause.") if number else ""


def clauses(card: Card) -> dict[str, str]:
    """Return the clauses of a game's rulebook by number, each as one line. Raises CardError."""
    return {match[1]: " ".join(match[2].split()) for match in _CLAUSE.finditer(text(card))}


def clause(card: Card, number: str) -> str:
    """Return the text of one clause. Raises UsageError for an unknown number, and CardError."""
    known = clauses(card)
    if number not in known:
        hint = suggest(number, list(known)) or f" `koth rules {card.name}` prints all clauses."
        raise UsageError(f"{card.title} has no clause '{number}'.{hint}")
    return known[number]
