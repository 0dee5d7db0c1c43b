"""The registry of games: data-only cards, found through the entry points ``koth.games``.

A card is a ``game.toml`` in the package that the entry point names. Reading it imports no rules:
each part of the house resolves only the references that it needs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from schema.errors import KothError, UsageError


class CardError(KothError):
    """A game's card is broken: a package that brings a game must mend it."""


@dataclass(frozen=True)
class Version:
    """What belongs to one rules version of a game, such as ``coup/1``: references, not objects."""

    name: str
    events: str
    settings: str
    match: str
    tournament: str

    def event_models(self) -> tuple[type, ...]:
        """The game's own event models, besides the common ones."""
        return tuple(_load(self.events))

    def settings_model(self) -> type[BaseModel]:
        """The pydantic model of the game's settings; its defaults are the game's."""
        model: type[BaseModel] = _load(self.settings)
        return model

    def match_rules(self) -> Callable[..., Any]:
        """The generator function of a match."""
        rules: Callable[..., Any] = _load(self.match)
        return rules

    def tournament_rules(self) -> Callable[..., Any]:
        """The generator function of a tournament."""
        rules: Callable[..., Any] = _load(self.tournament)
        return rules


@dataclass(frozen=True)
class Card:
    """One game, as its ``game.toml`` describes it."""

    name: str
    title: str
    seats: tuple[int, int]
    """Fewest and most players of a match."""
    protocol: str
    """How its bots are called: ``file``, ``argv`` or ``class``."""
    scratch: str
    """How long a bot's scratch folder lives: ``decision``, ``match`` or ``none``."""
    rules: str
    """The rules version that new matches are played under."""
    rulebook: Path
    bots: Path
    audit: Path
    leaderboard: Path
    versions: Mapping[str, Version]

    @property
    def current(self) -> Version:
        """The version that new matches are played under."""
        return self.versions[self.rules]

    def settings(self, given: Mapping[str, object]) -> BaseModel:
        """The settings of a new match: defaults, with ``given`` put over them.

        Raises UsageError that names the setting, what was expected and what was found.
        """
        model = self.current.settings_model()
        try:
            return model.model_validate(given)
        except ValidationError as error:
            raise UsageError(_about_setting(self, model, error)) from None


def names() -> list[str]:
    """The names of all games installed, sorted."""
    return sorted({point.name for point in entry_points(group="koth.games")})


@cache
def card(name: str) -> Card:
    """The card of the game called ``name``. Raises UsageError when there is no such game."""
    for point in entry_points(group="koth.games"):
        if point.name == name:
            return _read(point.value)
    raise UsageError(f"there is no game called {name[:64]!r}.{suggest(name, names())}")


def suggest(wrong: str, known: list[str]) -> str:
    """The tail of an error about a mistyped name: what was probably meant, or what there is."""
    if close := get_close_matches(wrong, known, n=1, cutoff=0.5):
        return f" Did you mean '{close[0]}'?"
    return f" There are: {', '.join(known)}." if 0 < len(known) <= 20 else ""


def _read(package: str) -> Card:
    source = Path(str(files(package))) / "game.toml"
    try:
        data = tomllib.loads(source.read_text())
        versions = {name: Version(name=name, **refs) for name, refs in data["versions"].items()}
        fewest, most = data["seats"]
        if data["rules"] not in versions:
            raise ValueError(f'[versions."{data["rules"]}"] is missing')
        return Card(
            name=data["name"],
            title=data["title"],
            seats=(fewest, most),
            protocol=data["protocol"],
            scratch=data["scratch"],
            rules=data["rules"],
            rulebook=_path(data["rulebook"]),
            bots=_path(data["bots"]),
            audit=_path(data["audit"]),
            leaderboard=_path(data["leaderboard"]),
            versions=versions,
        )
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise CardError(f"{source}: the card of a game is broken: {error}") from error


def _path(reference: str) -> Path:
    package, _, path = reference.partition(":")
    return Path(str(files(package))) / path


def _load(reference: str) -> Any:
    module, _, name = reference.partition(":")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise CardError(f"the card's reference '{reference}' leads nowhere: {error}") from error


def _about_setting(card: Card, model: type[BaseModel], error: ValidationError) -> str:
    first = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"])
    known = list(model.model_fields)
    if first["type"] == "extra_forbidden":
        return f"{card.name} has no setting '{name}'.{suggest(name, known)}"
    return f"setting {name}: {first['msg'].lower()}, found '{first['input']}'."
