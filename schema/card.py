"""The card of a game: the data-only file ``game.toml`` in its package.

Reading it imports no rules.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    DirectoryPath,
    Field,
    FilePath,
    ValidationError,
    field_validator,
    model_validator,
)

from schema import contract
from schema.errors import UsageError
from schema.log_path import is_encodable
from schema.rules_version import OWN, CardError, Reference, Version, broken_package, resolve
from schema.system_errors import raise_system_error
from schema.words import expectation, suggest

FILE = "game.toml"
"""The name of a card in the package of a game."""

TABLES = "results"
"""The format of the final tables of all games, so that of no game."""

LONGEST_TITLE = 100
"""Maximum characters of a game's title, which pages and lists show."""

RESERVED = ("log",)
"""Names that no game can have: the audit's rules for all games have these prefixes."""


def _package_path(reference: object) -> Path:
    """Resolve a reference "package:path". Raises ValueError if nothing has this path."""
    if not isinstance(reference, str) or ":" not in reference:
        raise ValueError(f'expected "package:path", found {reference!r}')
    package, _, path = reference.partition(":")
    target = _folder(package) / path
    if not target.exists():
        raise ValueError(f"expected a file or folder '{target}', found none")
    return target


Name = Annotated[str, Field(pattern=contract.NAME)]
"""A game's name: lower-case letters, digits and underscores. Its tables begin with it."""

PackageFile = Annotated[FilePath, BeforeValidator(_package_path)]
"""A file of a package, written "package:path"."""

PackageFolder = Annotated[DirectoryPath, BeforeValidator(_package_path)]
"""A folder of a package, written in the same way."""

Bound = Annotated[int, Field(ge=1, strict=True)] | Annotated[str, Field(pattern=r"^[a-z]\w*$")]
"""A number, or the name of the setting that holds it."""


class Card(BaseModel):
    """One game, as its ``game.toml`` describes it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Name
    title: str
    seats: tuple[Bound, Bound]
    """Minimum and maximum players of a match."""
    entrants: tuple[Bound, Bound] = (2, 10_000)
    """Minimum and maximum bots of a tournament."""
    protocol: Literal["argv", "file", "class", "stream"]
    """The way in which the referee calls the bots."""
    scratch: Literal["decision", "match", "none"]
    """Lifetime of a bot's scratch folder."""
    plays: Literal["pairings", "tournaments"] = "tournaments"
    """The matches of a contest's stage: pairings that are missing, or a whole tournament."""
    rules: str
    """The rules version of new matches."""
    rulebook: PackageFile
    bots: PackageFolder
    audit: PackageFolder
    leaderboard: PackageFile
    importers: Mapping[str, Reference] = {}
    """Functions that read older results for ``koth import``, by the name of the format."""
    narrate: Reference | None = None
    """The function that tells one event in one sentence (:mod:`games.narration`)."""
    board: PackageFile | None = None
    """The ES module that draws one state as SVG, for the page of a match."""
    text_board: Reference | None = None
    """The function that draws one state in a few lines of text (:mod:`games.text_board`)."""
    alternatives: Reference | None = None
    """The function that lists the legal answers to a question, or some of them, for `koth blame`:
    ``(question, settings)`` to a list of answers."""
    story: PackageFile | None = None
    """SQL for the plot on a tournament's page; the default plots its scores."""
    versions: dict[str, Version]
    package: str
    """The package that the entry point names; it contains the card."""

    @field_validator("versions", mode="before")
    @classmethod
    def _named(cls, versions: object) -> object:
        if not isinstance(versions, dict):
            return versions
        return {
            name: {"name": name, **refs} if isinstance(refs, dict) else refs
            for name, refs in versions.items()
        }

    @field_validator("title")
    @classmethod
    def _in_one_line(cls, title: str) -> str:
        if not title.strip() or not title.isprintable() or len(title) > LONGEST_TITLE:
            expected = f"expected one line of 1 to {LONGEST_TITLE} printable characters"
            raise ValueError(f"{expected}, found {title!r:.80}")
        return title

    @field_validator("seats", "entrants")
    @classmethod
    def _in_order(cls, bounds: tuple[Bound, Bound]) -> tuple[Bound, Bound]:
        least, most = bounds
        if isinstance(least, int) and isinstance(most, int) and least > most:
            raise ValueError(f"expected the minimum before the maximum, found {least} and {most}")
        return bounds

    @model_validator(mode="after")
    def _has_current(self) -> Card:
        if self.name in RESERVED:
            raise ValueError(f"name: '{self.name}' is reserved; the game needs another name")
        if TABLES in self.importers:
            raise ValueError(f"importers: '{TABLES}' is reserved; the format needs another name")
        if self.rules not in self.versions:
            raise ValueError(f'[versions."{self.rules}"] is missing')
        if self.plays == "pairings" and self.seats != (2, 2):
            found = list(self.seats)
            raise ValueError(f'seats: expected [2, 2] with plays = "pairings", found {found}')
        return self

    @property
    def current(self) -> Version:
        """The rules version of new matches."""
        return self.versions[self.rules]

    def check(self) -> None:
        """Resolve every reference that commands need; Koth's own are tested. Raises CardError."""
        if not self.built_in:
            for version in self.versions.values():
                version.check()
                version.transcript("match")
                version.transcript("tournament")
            defaults = self.settings({})
            self.bounds("seats", defaults)
            self.bounds("entrants", defaults)
            for find in (
                self.narrator,
                self.text_drawer,
                self.alternative_answers,
                self.board_module,
            ):
                find()
            for format in self.importers:
                self.importer(format)

    def importer(self, format: str) -> Callable[..., Any]:
        """Return the function that reads files of ``format``. Raises CardError."""
        return self._function(f"importers.{format}", self.importers[format])

    def narrator(self) -> Callable[..., Any] | None:
        """Return the function for sentences, None if the game has none. Raises CardError."""
        return self._function("narrate", self.narrate) if self.narrate else None

    def text_drawer(self) -> Callable[..., Any] | None:
        """Return the function for text boards, None if the game has none. Raises CardError."""
        return self._function("text_board", self.text_board) if self.text_board else None

    def alternative_answers(self) -> Callable[..., Any] | None:
        """Return the function for legal answers, None if the game has none. Raises CardError."""
        return self._function("alternatives", self.alternatives) if self.alternatives else None

    def board_module(self) -> Path | None:
        """Return the module that draws states, None if the game has none. Raises CardError."""
        if self.board and not self.built_in:
            try:
                contract.check_board(self.board.read_bytes())
            except ValueError as error:
                raise broken_package(self.name, f"board = '{self.board}': {error}") from None
        return self.board

    def _function(self, field: str, reference: str) -> Callable[..., Any]:
        function: Callable[..., Any] = resolve(self.name, field, reference, contract.check_function)
        return function

    @property
    def built_in(self) -> bool:
        """Whether the game is one of Koth's own, whose rules Koth's tests check."""
        return self.package.startswith(OWN)

    def tables(self) -> set[str]:
        """Return the names of the game's tables and views in SQL. Raises CardError."""
        models = [model for version in self.versions.values() for model in version.event_models()]
        events = {contract.event_type(model) for model in models}
        views = {path.stem.removeprefix("_").lower() for path in self.audit.glob("_*.sql")}
        if shared := events & views:
            problem = f"the event '{min(shared)}' and the view '_{min(shared)}.sql' of its audit"
            raise broken_package(self.current.name, f"{problem} have one name in SQL; rename one")
        return {f"{self.name}_{part}" for part in events | views}

    def check_number(self, kind: str, number: int, settings: BaseModel) -> None:
        """Check a number of ``kind`` (``seats`` or ``entrants``). Raises ValueError, CardError."""
        least, most = self.bounds(kind, settings)
        if not least <= number <= most:
            expected = str(least) if least == most else f"{least} to {most}"
            setting = [
                f" (setting {bound})" for bound in getattr(self, kind) if isinstance(bound, str)
            ]
            raise ValueError(f"expected {expected} bots{''.join(setting[:1])}, found {number}")

    def bounds(self, kind: str, settings: BaseModel) -> tuple[int, int]:
        """Return the minimum and the maximum number of ``kind``, as settings give them.

        Raises CardError.
        """
        numbers: list[int] = []
        for bound in getattr(self, kind):
            number = getattr(settings, bound, None) if isinstance(bound, str) else bound
            if type(number) is not int:
                problem = f"{kind}: expected a number or the name of a setting, found '{bound}'"
                raise CardError(f"the card of the game '{self.name}' is broken: {problem}.")
            numbers.append(number)
        return numbers[0], numbers[1]

    def settings(self, values: Mapping[str, object]) -> BaseModel:
        """Return the settings of a new match: ``values``, and defaults for the others.

        Raises UsageError that names the setting, the expected and the actual value, and CardError
        for a default that is not allowed.
        """
        model = self.current.settings_model()
        try:
            settings = model.model_validate(values)
        except ValidationError as error:
            raise UsageError(_describe_setting(self, model, error)) from None
        if self.built_in:
            return settings
        dumped = settings.model_dump(warnings=False)
        try:
            model.model_validate(dumped)
        except ValidationError as error:
            problem = f"the default of {_describe_setting(self, model, error).removesuffix('.')}"
            raise broken_package(self.current.name, problem) from None
        for name, value in dumped.items():
            if isinstance(value, int) and not -(2**63) <= value < 2**63:
                expected = "a number of 64 bits"
            elif isinstance(value, str) and not is_encodable(value):
                expected = "text in UTF-8"
            elif name == contract.TIME_LIMIT and value < 1:
                expected = "at least 1 second"
            else:
                continue
            problem = f"setting {name}: expected {expected}, found '{value}'"
            if name not in values:
                raise broken_package(self.current.name, f"the default of {problem}")
            raise UsageError(f"{problem}.")
        return settings


def read(package: str, name: str) -> Card:
    """Return the card in a package whose entry point has this ``name``. Raises CardError."""
    try:
        source = _folder(package) / FILE
    except ValueError as error:
        raise CardError(f"the package of a game cannot be used: {error}.") from None
    try:
        card = Card.model_validate(
            tomllib.loads(source.read_text(encoding="utf-8")) | {"package": package}
        )
        if card.name == name:
            return card
        problem = f"name: expected '{name}', as in the entry point, found '{card.name}'"
    except ValidationError as error:
        problem = _describe_key(error)
    except OSError as error:
        error.filename = str(source)
        raise_system_error(error)
        problem = str(error)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        problem = str(error)
    raise CardError(f"{source}: the card of a game is broken: {problem}") from None


def _describe_key(error: ValidationError) -> str:
    """Return the first problem of a card, with its key."""
    # A mistyped key is also a missing one: the former says more.
    first = min(error.errors(), key=lambda problem: problem["type"] != "extra_forbidden")
    where = ".".join(str(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        model = Card if len(first["loc"]) == 1 else Version
        message = f"unknown key.{suggest(str(first['loc'][-1]), list(model.model_fields))}"
    elif first["type"] in ("path_not_file", "path_not_directory"):
        kind = "file" if first["type"] == "path_not_file" else "folder"
        message = f"expected a {kind}, found '{first['input']}'"
    elif first["type"] == "missing":
        message = "expected this key, found none"
    elif first["type"] == "string_pattern_mismatch":
        message = f"expected text like {first['ctx']['pattern']}, found {first['input']!r}"
    elif message.startswith("Input should be"):
        message = expectation(message).replace("tuple", "list")  # TOML's
        message += f", found {first['input']!r}"
    return f"{where}: {message}" if where else message


def _folder(package: str) -> Path:
    """Return the folder of a package. Raises ValueError if it cannot be imported or is a file."""
    try:
        folder = files(package)
    except BaseException as error:
        reason = contract.describe(error, package)
        raise ValueError(f"the package '{package}' cannot be imported: {reason}") from None
    if not isinstance(folder, Path):
        raise ValueError(f"'{package}': expected a folder with an __init__.py, found none")
    return folder


def _describe_setting(card: Card, model: type[BaseModel], error: ValidationError) -> str:
    first = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"])
    known = list(model.model_fields)
    if not name:  # settings that contradict each other; the message of the model names them
        return f"setting {first['msg'].removeprefix('Value error, ')}."
    if first["type"] == "extra_forbidden":
        return f"{card.name} has no setting '{name}'.{suggest(name, known)}"
    message = expectation(first["msg"]).removeprefix("Value error, ")
    return f"setting {name}: {message}, found '{first['input']}'."
