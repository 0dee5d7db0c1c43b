"""What the package of a game must bring, besides its card: event models, settings and rules.

Each check takes what a reference of the card leads to, and raises ValueError that says what was
expected and what was found. Their results are kept, so none is made twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from inspect import isgeneratorfunction
from traceback import walk_tb
from types import FrameType
from typing import Annotated, Any, Literal, NotRequired, Required, get_args, get_origin

from pydantic import BaseModel, ValidationError
from typing_extensions import get_type_hints, is_typeddict

from schema.events import MATCH_EVENTS, TOURNAMENT_EVENTS

Check = Callable[[Any], None]

NAME = r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$"
"""What the names of games and of event types look like."""

TAKEN = ("seq", "log", "match")
"""What every line of a log, and every table made from them, has: no names for fields of a game."""

LIMIT = "time_limit_s"
"""The setting that every game has: how many seconds a bot may take for a decision."""


def events(models: Any) -> None:
    """Event models: a sequence of TypedDicts, strict ones, each with a type of its own."""
    if not isinstance(models, tuple) or not all(map(is_typeddict, models)):
        raise ValueError(f"expected a tuple of TypedDicts, found {models!r:.80}")
    kinds: dict[str, str] = {}
    seen = {_type(model) for model in MATCH_EVENTS + TOURNAMENT_EVENTS}
    for model in models:
        name = _type(model)
        if not re.fullmatch(NAME, name):
            told = f"expected a type of lower-case letters, digits and '_', found '{name}'"
            raise ValueError(f"{model.__name__}: {told}")
        if name in seen:
            raise ValueError(f"{model.__name__}: there is an event of the type '{name}' already")
        seen.add(name)
        config = getattr(model, "__pydantic_config__", {})
        if not (config.get("strict") and config.get("extra") == "forbid"):
            raise ValueError(f"{model.__name__}: expected the decorator @event of schema.fields")
        hints: dict[str, Any] = get_type_hints(model, include_extras=True)
        for field, hint in hints.items():
            kind = _plain(hint)
            if kinds.setdefault(field, kind) != kind and field != "type":
                told = f"the field '{field}' has another type in another event"
                raise ValueError(f"{model.__name__}: {told}: a name has one type in a game")
            if field in TAKEN or field.startswith("_"):
                taken = f"{', '.join(TAKEN)}, and names with '_' in front are taken"
                raise ValueError(
                    f"{model.__name__}: the field '{field}' needs another name: {taken}"
                )
            if "float" in kind:
                raise ValueError(f"{model.__name__}: the field '{field}': a log holds no floats")


@cache
def carrier(models: tuple[type, ...], event: str, field: str) -> None:
    """What carries the answers of all seats: a list of integers in an event that there is."""
    for model in models:
        if _type(model) == event:
            hints: dict[str, Any] = get_type_hints(model, include_extras=True)
            if field in hints and _plain(hints[field]) == "list(int)":
                return
    raise ValueError(f"expected an event '{event}' with a list of integers '{field}', found none")


def settings(model: Any) -> None:
    """Settings: a model of integers and texts that all have defaults, with a time limit."""
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        raise ValueError(f"expected a pydantic model, found {model!r:.80}")
    if model.model_config.get("extra") != "forbid":
        raise ValueError('expected model_config = ConfigDict(extra="forbid", frozen=True)')
    try:
        found = model().model_dump()
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise ValueError(f"expected a default of '{where}' that is allowed, found none") from None
    for name, value in found.items():
        if type(value) not in (int, str):
            raise ValueError(f"{name}: expected an integer or a text, found {value!r:.80}")
    if type(found.get(LIMIT)) is not int:
        told = f"expected a setting '{LIMIT}', an integer: seconds for a decision; found none"
        raise ValueError(told)


def rules(function: Any) -> None:
    """Rules: a generator function."""
    if not isgeneratorfunction(function):
        raise ValueError(f"expected a generator function, found {function!r:.80}")


def function(found: Any) -> None:
    """A function."""
    if not callable(found):
        raise ValueError(f"expected a function, found {found!r:.80}")


def place(error: BaseException, package: str) -> str:
    """The last line of code of ``package`` that an error came through, if any."""
    found = ""
    for frame, line in walk_tb(error.__traceback__):
        if _package(frame) == package:
            found = f"{frame.f_code.co_filename}, line {line}"
    return found


def raised_in(generator: Any, error: BaseException) -> str:
    """The line of rules at which they failed, if ``error`` came out of these."""
    code = getattr(generator, "gi_code", None)
    for frame, _ in walk_tb(error.__traceback__):
        if frame.f_code is code:
            return place(error, _package(frame))
    return ""


def _package(frame: FrameType) -> str:
    """The top package whose code runs in a frame."""
    name: str = frame.f_globals.get("__name__", "")
    return name.partition(".")[0]


def _type(model: type) -> str:
    """The type of an event, by its model."""
    hint: Any = get_type_hints(model).get("type")
    if get_origin(hint) is Literal and len(get_args(hint)) == 1:
        [name] = get_args(hint)
        return str(name)
    raise ValueError(f"{model.__name__}: expected a field type: Literal[…], found {hint!r:.80}")


def _plain(hint: Any) -> str:
    """The type that an annotation stands for, without what it says besides."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Annotated, NotRequired, Required):
        return _plain(arguments[0])
    if origin is Literal:
        return type(arguments[0]).__name__
    if is_typeddict(hint):
        inner: dict[str, Any] = get_type_hints(hint, include_extras=True)
        arguments = tuple(inner.values())
    name = getattr(origin or hint, "__name__", str(hint))
    return f"{name}({', '.join(map(_plain, arguments))})" if arguments else str(name)
