"""The registry of games: data-only cards, found through the entry points ``koth.games``.

A card is a ``game.toml`` in the package that the entry point names. Reading it imports no rules:
each part of the house resolves only the references that it needs. What they lead to is held against
:mod:`schema.contract` then.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from schema import contract
from schema.errors import GameError, UsageError

GROUP = "koth.games"
"""The entry points of games."""

CARD = "game.toml"

RESERVED = ("log",)
"""No names for games: the audit's rules for all games are called by them."""


class CardError(GameError):
    """A game's card is broken: a package that brings a game must mend it."""


def _path(reference: object) -> Path:
    """What a reference "package:path" leads to."""
    if not isinstance(reference, str) or ":" not in reference:
        raise ValueError(f'expected "package:path", found {reference!r}')
    package, _, path = reference.partition(":")
    found = _folder(package) / path
    if not found.exists():
        raise ValueError(f"there is no '{found}'")
    return found


Name = Annotated[str, Field(pattern=contract.NAME)]
"""A game's name: lower-case letters, digits and underscores. Its tables begin with it."""

PackagePath = Annotated[Path, BeforeValidator(_path)]
"""A reference to a file or folder of a package."""

Reference = Annotated[str, Field(pattern=r"^[A-Za-z_][\w.]*:[A-Za-z_]\w*$")]
"""A reference "module:name"."""

Bound = Annotated[int, Field(ge=1, strict=True)] | Annotated[str, Field(pattern=r"^[a-z]\w*$")]
"""How many: a number, or the name of the setting that says it."""


class JointAnswerEvent(BaseModel):
    """An event that holds the answers of all seats to one question, as integers by seat."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    event: str
    field: str


class Transcripts(BaseModel):
    """How a game writes a match, and a tournament, as it was written before Koth: references."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    match: Reference | None = None
    tournament: Reference | None = None


class Version(BaseModel):
    """What belongs to one rules version of a game, such as ``coup/1``: references, not objects."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    events: Reference
    settings: Reference
    match: Reference
    tournament: Reference
    carriers: Mapping[str, JointAnswerEvent] = {}
    """By the name of the question, for those that are put to all seats at once."""
    transcripts: Transcripts = Transcripts()

    def event_models(self) -> tuple[type, ...]:
        """The game's own event models, besides the common ones."""
        models: tuple[type, ...] = self._held("events", self.events, contract.events)
        for question, found in self.carriers.items():
            try:
                contract.carrier(models, found.event, found.field)
            except ValueError as error:
                told = f"carriers.{question}: {error}"
                raise CardError(f"the package of {self.name} is broken: {told}.") from None
        return models

    def settings_model(self) -> type[BaseModel]:
        """The pydantic model of the game's settings; its defaults are the game's."""
        model: type[BaseModel] = self._held("settings", self.settings, contract.settings)
        return model

    def match_rules(self) -> Callable[..., Any]:
        """The generator function of a match."""
        rules: Callable[..., Any] = self._held("match", self.match, contract.rules)
        return rules

    def tournament_rules(self) -> Callable[..., Any]:
        """The generator function of a tournament."""
        rules: Callable[..., Any] = self._held("tournament", self.tournament, contract.rules)
        return rules

    def check(self) -> None:
        """Resolve all that new matches need. Raises CardError for what is broken."""
        self.event_models()
        self.settings_model()
        self.match_rules()
        self.tournament_rules()

    def transcript(self, kind: str) -> Callable[..., str] | None:
        """What writes a sealed log of this kind (match or tournament) as a transcript, if any."""
        reference: str | None = getattr(self.transcripts, kind)
        if reference is None:
            return None
        found: Callable[..., str] = self._held(f"transcripts.{kind}", reference, contract.function)
        return found

    def _held(self, field: str, reference: str, check: contract.Check) -> Any:
        """What a field leads to, if it is what is wanted there. Raises CardError that names it."""
        try:
            return _kept(reference, check)
        except ValueError as error:
            told = f"{field} = '{reference}': {error}"
            raise CardError(f"the package of {self.name} is broken: {told}.") from error


class Card(BaseModel):
    """One game, as its ``game.toml`` describes it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Name
    title: str
    seats: tuple[Bound, Bound]
    """Fewest and most players of a match."""
    entrants: tuple[Bound, Bound] = (2, 10_000)
    """Fewest and most bots of a tournament."""
    protocol: Literal["argv", "file", "class"]
    """How its bots are called."""
    scratch: Literal["decision", "match", "none"]
    """How long a bot's scratch folder lives."""
    rules: str
    """The rules version that new matches are played under."""
    rulebook: PackagePath
    bots: PackagePath
    audit: PackagePath
    leaderboard: PackagePath
    importers: Mapping[str, Reference] = {}
    """Formats of older results that ``koth import`` reads: by name, a function of their paths."""
    story: PackagePath | None = None
    """SQL for the plot on a tournament's page; without one, that of its scores."""
    versions: dict[str, Version]
    package: str
    """Where the card lies: the package that the entry point names."""

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
        if self.name in RESERVED:
            raise ValueError(f"name: '{self.name}' is taken; the game needs another")
        if self.rules not in self.versions:
            raise ValueError(f'[versions."{self.rules}"] is missing')
        return self

    @property
    def current(self) -> Version:
        """The version that new matches are played under."""
        return self.versions[self.rules]

    def importer(self, format: str) -> Callable[..., Any]:
        """Return the function that reads files of ``format``. Raises CardError if it is broken."""
        reference = self.importers[format]
        try:
            function: Callable[..., Any] = _kept(reference, contract.function)
        except ValueError as error:
            told = f"importers.{format} = '{reference}': {error}"
            raise CardError(f"the package of {self.name} is broken: {told}.") from error
        return function

    @property
    def built_in(self) -> bool:
        """Whether it is one of Koth's own games, whose rules are tested with Koth."""
        return self.package.startswith("games.")

    def check_number(self, what: str, found: int, settings: BaseModel) -> None:
        """Raises ValueError when ``found`` are too few or too many ``seats`` or ``entrants``."""
        bounds: tuple[Bound, Bound] = getattr(self, what)
        for bound in bounds:
            if isinstance(bound, str) and type(getattr(settings, bound, None)) is not int:
                told = f"{what}: expected a number or the name of a setting, found '{bound}'"
                raise CardError(f"the card of the game '{self.name}' is broken: {told}.")
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
    return sorted({point.name for point in entry_points(group=GROUP)})


def cards() -> tuple[list[Card], list[GameError]]:
    """The cards of the games that can be used, by name; and why others cannot, if any."""
    sound: list[Card] = []
    broken: list[GameError] = []
    for name in names():
        try:
            found = card(name)
            for version in found.versions.values():
                version.event_models()
            sound.append(found)
        except GameError as error:
            broken.append(error)
    return sound, broken


@cache
def card(name: str) -> Card:
    """The card of the game called ``name``.

    Raises UsageError when there is no such game, and CardError when its package is broken, or two
    bring it.
    """
    points = {point.value: point for point in entry_points(group=GROUP) if point.name == name}
    if len(points) > 1:
        told = " and ".join(f"'{place}' of {_owner(point)}" for place, point in points.items())
        raise CardError(f"two packages bring a game called '{name}': {told}. Uninstall one.")
    for place in points:
        found = _read(place)
        if found.name != name:
            told = f"name: expected '{name}', as the entry point calls it, found '{found.name}'"
            raise CardError(f"{_folder(place) / CARD}: the card of a game is broken: {told}")
        return found
    raise UsageError(f"there is no game called {name[:64]!r}.{suggest(name, names())}")


def _owner(point: EntryPoint) -> str:
    """The distribution that an entry point comes from."""
    return point.dist.name if point.dist else "an unknown package"


def suggest(wrong: str, known: list[str]) -> str:
    """The tail of an error about a mistyped name: what was probably meant, or what there is."""
    if close := get_close_matches(wrong, known, n=1, cutoff=0.5):
        return f" Did you mean '{close[0]}'?"
    return f" There are: {', '.join(known)}." if 0 < len(known) <= 20 else ""


def _read(package: str) -> Card:
    try:
        source = _folder(package) / CARD
    except ValueError as error:
        raise CardError(f"the package of a game cannot be used: {error}.") from None
    try:
        return Card.model_validate(tomllib.loads(source.read_text()) | {"package": package})
    except ValidationError as error:
        # A mistyped key is also a missing one: the former says more.
        first = min(error.errors(), key=lambda one: one["type"] != "extra_forbidden")
        where = ".".join(str(part) for part in first["loc"])
        told = first["msg"].removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            model = Card if len(first["loc"]) == 1 else Version
            told = f"unknown key.{suggest(str(first['loc'][-1]), list(model.model_fields))}"
        told = f"{where}: {told}" if where else told
        raise CardError(f"{source}: the card of a game is broken: {told}") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CardError(f"{source}: the card of a game is broken: {error}") from None


def _folder(package: str) -> Path:
    """The folder of a package. Raises ValueError when it is none, or cannot be imported."""
    try:
        found = files(package)
    except Exception as error:
        raise ValueError(f"there is no package '{package}': {_told(error, package)}") from None
    if not isinstance(found, Path):
        raise ValueError(f"'{package}' is no folder with an __init__.py")
    return found


def _load(reference: str) -> Any:
    """What a reference leads to. Raises ValueError when there is nothing."""
    module, _, name = reference.partition(":")
    try:
        return getattr(import_module(module), name)
    except Exception as error:
        raise ValueError(f"it leads nowhere: {_told(error, module)}") from error


def _told(error: Exception, module: str) -> str:
    """What an import raised, with the line of its package where it did."""
    place = contract.place(error, module.partition(".")[0])
    told = f"{type(error).__name__}: {error}"
    return f"{told} ({place})" if place else told


@cache
def _kept(reference: str, check: contract.Check) -> Any:
    """What a reference leads to, and that passes ``check``. Raises ValueError."""
    found = _load(reference)
    try:
        check(found)
    except ValueError:
        raise
    except Exception as error:  # of annotations, say, that cannot be resolved
        raise ValueError(f"cannot be used: {type(error).__name__}: {error}") from error
    return found


def _about_setting(card: Card, model: type[BaseModel], error: ValidationError) -> str:
    first = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"])
    known = list(model.model_fields)
    if not name:  # settings that do not go together; the model says it all
        return f"setting {first['msg'].removeprefix('Value error, ')}."
    if first["type"] == "extra_forbidden":
        return f"{card.name} has no setting '{name}'.{suggest(name, known)}"
    return f"setting {name}: {first['msg'].lower()}, found '{first['input']}'."
