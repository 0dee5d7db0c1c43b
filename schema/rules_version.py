"""A rules version of a game, and how a card's references become objects.

Reading a card imports no rules. A reference is resolved on its first use, and its object is checked
by :mod:`schema.contract`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from schema import contract
from schema.errors import GameError

OWN = "games."
"""The start of the names of Koth's own modules of games."""

Reference = Annotated[str, Field(pattern=r"^[A-Za-z_][\w.]*:[A-Za-z_]\w*$")]
"""An object of a module, written "module:name"."""


class CardError(GameError):
    """Raised when the card of a game, or an object that it refers to, is not valid."""


PART = ConfigDict(extra="forbid", frozen=True, defer_build=True)  # only a card validates its parts


class JointAnswerEvent(BaseModel):
    """The event, and its field, that records the answers of all seats, as integers by seat."""

    model_config = PART

    event: str
    field: str


class Transcripts(BaseModel):
    """References to the functions that write a log in the form used before Koth."""

    model_config = PART

    match: Reference | None = None
    tournament: Reference | None = None


class Version(BaseModel):
    """One rules version of a game, such as ``coup/1``, with references to its parts."""

    model_config = PART

    name: str
    events: Reference
    settings: Reference
    match: Reference
    tournament: Reference
    audited: bool = False
    """Whether the audit rules hold for it, too, although newer matches have another version."""
    carriers: Mapping[str, JointAnswerEvent] = {}
    """The event that records the answers, by the name of each joint question."""
    transcripts: Transcripts = Field(default_factory=Transcripts)

    def event_models(self) -> tuple[type, ...]:
        """Return the game's own event models, without the common ones. Raises CardError."""
        models: tuple[type, ...] = self._resolve("events", self.events, contract.check_events)
        for question, carrier in self.carriers.items():
            try:
                contract.check_joint_answer(models, carrier.event, carrier.field)
            except ValueError as error:
                raise broken_package(self.name, f"carriers.{question}: {error}") from None
        return models

    def settings_model(self) -> type[BaseModel]:
        """Return the pydantic model of the settings, with their defaults. Raises CardError."""
        model: type[BaseModel] = self._resolve("settings", self.settings, contract.check_settings)
        return model

    def match_rules(self) -> Callable[..., Any]:
        """Return the generator function of a match. Raises CardError."""
        rules: Callable[..., Any] = self._resolve("match", self.match, contract.check_rules)
        return rules

    def tournament_rules(self) -> Callable[..., Any]:
        """Return the generator function of a tournament. Raises CardError."""
        rules: Callable[..., Any] = self._resolve(
            "tournament", self.tournament, contract.check_rules
        )
        return rules

    def check(self) -> None:
        """Resolve every reference that new matches need. Raises CardError."""
        self.event_models()
        self.settings_model()
        self.match_rules()
        self.tournament_rules()

    def transcript(self, kind: str) -> Callable[..., str] | None:
        """Return the function that writes a sealed log of this kind as a transcript, if any.

        ``kind`` is ``match`` or ``tournament``. Raises CardError.
        """
        reference: str | None = getattr(self.transcripts, kind)
        if reference is None:
            return None
        write: Callable[..., str] = self._resolve(
            f"transcripts.{kind}", reference, contract.check_function
        )
        return write

    def _resolve(self, field: str, reference: str, check: contract.Check) -> Any:
        return resolve(self.name, field, reference, check)


def resolve(name: str, field: str, reference: str, check: contract.Check) -> Any:
    """Return the object that ``field`` of the game ``name`` refers to. Raises CardError."""
    try:
        return _checked(reference, check)
    except ValueError as error:
        raise broken_package(name, f"{field} = '{reference}': {error}") from error


def broken_package(name: str, problem: str) -> CardError:
    """Return the error of a rules version or a game whose package has a problem."""
    return CardError(f"the package of {name} is broken: {problem}.")


@cache
def _checked(reference: str, check: contract.Check) -> Any:
    """Import the object of a reference, once. Raises ValueError if ``check`` refuses it."""
    module, _, name = reference.partition(":")
    try:
        target = getattr(import_module(module), name)
    except BaseException as error:
        reason = contract.describe(error, module)
        raise ValueError(f"it cannot be imported: {reason}") from error
    try:
        if not module.startswith(OWN):  # Koth's tests check the others
            check(target)
    except ValueError:
        raise
    except BaseException as error:  # such as annotations that cannot be resolved
        raise ValueError(f"cannot be used: {contract.describe(error, module)}") from error
    return target
