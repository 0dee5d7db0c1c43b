"""Describe the installed games: ``koth.games``."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

from koth.library import html
from referee.roster.resolve import EXAMPLES, examples
from schema import registry
from schema.allowed_values import allowed_values
from schema.card import Bound, Card

PROTOCOLS = {
    "argv": "one process per decision; its arguments describe the position, it prints the answer",
    "file": "one process per decision; it appends the answer to the match's history file",
    "class": "a Python class whose methods are called; its object lives for the whole match",
    "stream": "one process per match; it reads a line for each decision and prints a line",
}


@dataclass(frozen=True)
class Setting:
    """One setting of a game."""

    name: str
    default: str
    allowed: str
    """The values that it takes, in words."""
    meaning: str


@dataclass(frozen=True)
class Game:
    """One installed game."""

    name: str
    title: str
    rules: str
    """The rules version of new matches, such as ``coup/1``."""
    protocol: str
    """The way in which bots are called: ``argv``, ``file``, ``class`` or ``stream``."""
    seats: str
    """Number of bots in a match, such as ``2 to 60``, or a setting in backquotes."""
    entrants: str
    """Number of bots in a tournament."""
    fewest: int
    """Minimum number of bots in a match with the default settings."""
    settings: tuple[Setting, ...]
    examples: tuple[str, ...]
    """Its example bots, as ``koth.play`` takes them: ``examples/taxman``."""

    def _repr_html_(self) -> str:
        facts = {
            "rules": self.rules,
            "match": f"{self.seats} bots",
            "tournament": f"{self.entrants} bots",
            "protocol": f"{self.protocol}: {PROTOCOLS[self.protocol]}",
            "examples": ", ".join(self.examples),
        }
        settings = [
            tuple(map(html.text, (s.name, s.default, s.allowed, s.meaning))) for s in self.settings
        ]
        return html.block(
            html.strong(f"{self.title} ({self.name})"),
            html.table((), [(html.strong(name), html.text(fact)) for name, fact in facts.items()]),
            html.table(("setting", "default", "allowed", "meaning"), settings),
        )


def games() -> tuple[Game, ...]:
    """Return the installed games by name. Games that cannot be used are left out, with a warning.

    ``koth.play`` takes their names.
    """
    usable, errors = registry.checked_cards()
    for error in errors:
        warnings.warn(str(error), stacklevel=2)
    return tuple(map(describe, usable))


def describe(card: Card) -> Game:
    """Return the description of a game. Raises CardError if its package is broken."""
    return Game(
        name=card.name,
        title=card.title,
        rules=card.rules,
        protocol=card.protocol,
        seats=_number(card.seats),
        entrants=_number(card.entrants),
        fewest=card.bounds("seats", card.settings({}))[0],
        settings=_settings(card),
        examples=tuple(f"{EXAMPLES}/{path.stem}" for path in examples(card)),
    )


def _settings(card: Card) -> tuple[Setting, ...]:
    properties = card.current.settings_model().model_json_schema()["properties"]
    return tuple(
        Setting(
            name,
            str(schema.get("default", "")),
            allowed_values(schema),
            schema.get("description", ""),
        )
        for name, schema in properties.items()
    )


def _number(bounds: tuple[Bound, Bound]) -> str:
    """Return a number or a range as text; a bound may be the name of a setting."""
    fewest, most = (f"`{bound}`" if isinstance(bound, str) else f"{bound:,}" for bound in bounds)
    return fewest if fewest == most else f"{fewest} to {most}"
