"""The registry of games: data-only cards, found through the entry points ``koth.games``.

A card is a ``game.toml`` in the package that the entry point names. Reading it imports no rules:
each part of the house resolves only the references that it needs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from schema.errors import KothError, UsageError


class CardError(KothError):
    """A game's card is broken: a package that brings a game must mend it."""


def _path(reference: object) -> Path:
    """What a reference "package:path" leads to."""
    if not isinstance(reference, str) or ":" not in reference:
        raise ValueError(f'expected "package:path", found {reference!r}')
    package, _, path = reference.partition(":")
    return _folder(package) / path


Place = Annotated[Path, BeforeValidator(_path)]
"""A reference to a file or folder of a package."""

Bound = Annotated[int, Field(ge=1, strict=True)] | Annotated[str, Field(pattern=r"^[a-z]\w*$")]
"""How many: a number, or the name of the setting that says it."""


class Carrier(BaseModel):
    """An event that holds the answers of all seats to one question, as integers by seat."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    event: str
    field: str


class Transcripts(BaseModel):
    """How a game writes a match, and a tournament, as it was written before Koth: references."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    match: str | None = None
    tournament: str | None = None


class Version(BaseModel):
    """What belongs to one rules version of a game, such as ``coup/1``: references, not objects."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    events: str
    settings: str
    match: str
    tournament: str
    carriers: Mapping[str, Carrier] = {}
    """By the name of the question, for those that are put to all seats at once."""
    transcripts: Transcripts = Transcripts()

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

    def transcript(self, kind: str) -> Callable[..., str] | None:
        """What writes a sealed log of this kind (match or tournament) as a transcript, if any."""
        reference: str | None = getattr(self.transcripts, kind)
        return None if reference is None else _load(reference)


class Card(BaseModel):
    """One game, as its ``game.toml`` describes it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    title: str
    seats: tuple[Bound, Bound]
    """Fewest and most players of a match."""
    entrants: tuple[Bound, Bound] = (2, 10_000)
    """Fewest and most bots of a tournament."""
    protocol: str
    """How its bots are called: ``file``, ``argv`` or ``class``."""
    scratch: str
    """How long a bot's scratch folder lives: ``decision``, ``match`` or ``none``."""
    rules: str
    """The rules version that new matches are played under."""
    rulebook: Place
    bots: Place
    audit: Place
    leaderboard: Place
    versions: dict[str, Version]

    @field_validator("versions", mode="before")
    @classmethod
    def _named(cls, versions: object) -> object:
        if not isinstance(versions, dict):
            return versions
        return {
            name: {"name": name, **refs} if isinstance(refs, dict) else refs
            for name, refs in versions.items()
        }

    @model_validator(mode="after")
    def _has_current(self) -> Card:
        if self.rules not in self.versions:
            raise ValueError(f'[versions."{self.rules}"] is missing')
        return self

    @property
    def current(self) -> Version:
        """The version that new matches are played under."""
        return self.versions[self.rules]

    def check_number(self, what: str, found: int, settings: BaseModel) -> None:
        """Raises ValueError when ``found`` are too few or too many ``seats`` or ``entrants``."""
        bounds: tuple[Bound, Bound] = getattr(self, what)
        fewest, most = (
            getattr(settings, bound) if isinstance(bound, str) else bound for bound in bounds
        )
        if not fewest <= found <= most:
            wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
            named = [f" (setting {bound})" for bound in bounds if isinstance(bound, str)]
            raise ValueError(f"expected {wanted} bots{''.join(named[:1])}, found {found}")

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
    try:
        source = _folder(package) / "game.toml"
    except ValueError as error:
        raise CardError(f"the package of a game cannot be used: {error}.") from None
    try:
        return Card.model_validate(tomllib.loads(source.read_text()))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        told = f"{where}: {first['msg']}" if where else first["msg"]
        raise CardError(f"{source}: the card of a game is broken: {told}") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CardError(f"{source}: the card of a game is broken: {error}") from None


def _folder(package: str) -> Path:
    try:
        return Path(str(files(package)))
    except (ImportError, TypeError) as error:
        raise ValueError(f"there is no package '{package}' ({error})") from None


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
    if not name:  # settings that do not go together; the model says it all
        return f"setting {first['msg'].removeprefix('Value error, ')}."
    if first["type"] == "extra_forbidden":
        return f"{card.name} has no setting '{name}'.{suggest(name, known)}"
    return f"setting {name}: {first['msg'].lower()}, found '{first['input']}'."
