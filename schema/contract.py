"""Check what the package of a game must provide besides its card: events, settings and rules.

Each check takes the object that a reference of the card names, and raises ValueError with what it
expected and what it found.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from inspect import isgeneratorfunction
from traceback import print_exception, walk_tb
from types import FrameType
from typing import Annotated, Any, Literal, NotRequired, Required, get_args, get_origin

from pydantic import BaseModel, ValidationError
from typing_extensions import get_type_hints, is_typeddict

from schema.events import MATCH_EVENTS, TOURNAMENT_EVENTS

Check = Callable[[Any], None]

NAME = r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$"
"""The pattern of the names of games and of event types."""

RESERVED_FIELDS = ("seq", "log", "match")
"""Columns of every table that is made of events, so no names for fields of a game."""

TIME_LIMIT = "time_limit_s"
"""The setting that every game has: seconds that a bot may take for a decision."""

EXPORT = re.compile(r"^export (?=function|const|class)", re.M)
"""The word before an export of a board; a page includes a board as a script, without it."""

LONGEST_MESSAGE = 1000
"""Maximum characters of the text of a package's error."""

LOADING = 10
"""Multiple of the time limit to load a class, imports included (SU-9), or to start a stream bot."""


def check_events(models: Any) -> None:
    """Check that the event models are strict TypedDicts, each with a type of its own."""
    if not isinstance(models, tuple) or not all(map(is_typeddict, models)):
        raise ValueError(f"expected a tuple of TypedDicts, found {models!r:.80}")
    types = {event_type(model) for model in MATCH_EVENTS + TOURNAMENT_EVENTS}
    fields: dict[str, tuple[str, str]] = {}
    for model in models:
        name = event_type(model)
        if not re.fullmatch(NAME, name):
            expected = "expected a type of lower-case letters, digits and '_'"
            raise ValueError(f"{model.__name__}: {expected}, found '{name}'")
        if name in types:
            raise ValueError(f"{model.__name__}: another event has the type '{name}'")
        types.add(name)
        config = getattr(model, "__pydantic_config__", {})
        if not (config.get("strict") and config.get("extra") == "forbid"):
            raise ValueError(f"{model.__name__}: expected the decorator @event of schema.fields")
        hints: dict[str, Any] = get_type_hints(model, include_extras=True)
        for field, hint in hints.items():
            _check_field(model, field, _plain_type(hint), fields)


def _check_field(model: type, field: str, type: str, fields: dict[str, tuple[str, str]]) -> None:
    """Check one field; ``fields`` holds name and type of those before, by name in lower case."""
    known, known_type = fields.setdefault(field.lower(), (field, type))
    if known != field:
        raise ValueError(
            f"{model.__name__}: the field '{field}' needs another name: SQL takes it for '{known}'"
        )
    if known_type != type and field != "type":
        raise ValueError(
            f"{model.__name__}: the field '{field}' has another type in another event: "
            "a name has one type in a game"
        )
    if field.lower() in RESERVED_FIELDS or field.startswith("_"):
        raise ValueError(
            f"{model.__name__}: the field '{field}' needs another name: "
            f"{', '.join(RESERVED_FIELDS)}, and names that begin with '_' are reserved"
        )
    if "float" in type:
        raise ValueError(f"{model.__name__}: the field '{field}': a log holds no floats")


@cache
def check_joint_answer(models: tuple[type, ...], event: str, field: str) -> None:
    """Check that ``event`` is one of the models and has a list of integers called ``field``."""
    for model in models:
        if event_type(model) == event:
            hints: dict[str, Any] = get_type_hints(model, include_extras=True)
            if field in hints and _plain_type(hints[field]) == "list(int)":
                return
    raise ValueError(f"expected an event '{event}' with a list of integers '{field}', found none")


def check_settings(model: Any) -> None:
    """Check that settings are integers and texts that all have defaults, with a time limit."""
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        raise ValueError(f"expected a pydantic model, found {model!r:.80}")
    if model.model_config.get("extra") != "forbid":
        raise ValueError('expected model_config = ConfigDict(extra="forbid", frozen=True)')
    try:
        defaults = model().model_dump(warnings=False)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        if not where:  # settings that contradict each other
            problem = first["msg"].removeprefix("Value error, ")
            raise ValueError(f"its defaults contradict each other: {problem}") from None
        raise ValueError(f"expected a default of '{where}' that is allowed, found none") from None
    with suppress(ValidationError):  # the registry names a default that is not allowed
        # pydantic does not validate defaults: 10 may be that of a float, which no log can hold.
        defaults = model(**defaults).model_dump(warnings=False)
    for name in model.model_fields:
        if name not in defaults:
            raise ValueError(f"{name}: expected a setting that logs record, found one to exclude")
    for name, value in defaults.items():
        if type(value) not in (int, str):
            raise ValueError(f"{name}: expected an integer or a text, found {value!r:.80}")
    if type(defaults.get(TIME_LIMIT)) is not int:
        expected = f"expected a setting '{TIME_LIMIT}', an integer: seconds for a decision"
        raise ValueError(f"{expected}; found none")


def check_rules(function: Any) -> None:
    """Check that rules are a generator function."""
    if not isgeneratorfunction(function):
        raise ValueError(f"expected a generator function, found {function!r:.80}")


def check_function(function: Any) -> None:
    """Check that ``function`` can be called."""
    if not callable(function):
        raise ValueError(f"expected a function, found {function!r:.80}")


def check_board(code: bytes) -> None:
    """Check that an ES module exports ``draw`` in a way that a page of a match can include."""
    module = "\n".join(code.decode().splitlines())
    if not re.search(rf"{EXPORT.pattern}(function|const|class) draw\b", module, re.M):
        raise ValueError("expected a line that begins with 'export function draw(', found none")
    for number, text in enumerate(EXPORT.sub("", module).splitlines(), 1):
        if re.match(r"import\b|export ", text):
            expected = "expected a module without imports, whose exports are functions"
            raise ValueError(f"{expected}, found {text!r:.80} in line {number}")


def code_location(error: BaseException, package: str) -> str:
    """Return the last line of code of ``package`` in the traceback of ``error``, or ""."""
    location = ""
    for frame, line in walk_tb(error.__traceback__):
        if _package(frame) == package:
            location = f"{frame.f_code.co_filename}, line {line}"
    return location


class SuppressFailures:
    """Suppress errors of a package's function, even its exit, but no exit that follows a signal.

    With ``is_shown`` the environment variable ``KOTH_DEBUG`` shows their tracebacks.
    """

    def __init__(self, *, is_shown: bool = False) -> None:
        self.is_shown = is_shown

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> bool:
        """Return whether to suppress ``error``."""
        is_suppressed = error is not None and is_own(error)
        if is_suppressed and self.is_shown and os.environ.get("KOTH_DEBUG"):
            print_exception(error)
        return is_suppressed


def is_own(error: BaseException) -> bool:
    """Return whether code of a package may have raised ``error``, which then follows no signal.

    Libraries, such as asyncio, pytest and those in Rust, have errors that are no Exception.
    """
    if isinstance(error, SystemExit):
        return type(error) is SystemExit
    return not isinstance(error, KeyboardInterrupt)


def message(error: BaseException) -> str:
    """Return the type and the text of an error, cut; its text may fail, too."""
    name = type(error).__name__
    try:
        text = str(error)
    except BaseException as failure:
        if not is_own(failure):
            raise
        text = "its text cannot be shown"
    text = text if len(text) <= LONGEST_MESSAGE else f"{text[:LONGEST_MESSAGE]}…"
    return f"{name}: {text}" if text else name


def describe(error: BaseException, module: str) -> str:
    """Return an error, with the line of the package of ``module`` that raised it, if any.

    Raises ``error`` if it is not the package's own, but follows a signal.
    """
    if not is_own(error):
        raise error
    location = code_location(error, module.partition(".")[0])
    return f"{message(error)} ({location})" if location else message(error)


def describe_in_rules(generator: Any, error: BaseException) -> str:
    """Return ``error`` with the line of the rules that raised it, or "" if it is not theirs."""
    if not is_own(error):
        return ""
    code = getattr(generator, "gi_code", None)
    for frame, _ in walk_tb(error.__traceback__):
        if frame.f_code is code:
            location = code_location(error, _package(frame))
            return f"{location}: {message(error)}"
    return ""


def _package(frame: FrameType) -> str:
    """Return the top package whose code runs in a frame."""
    name: str = frame.f_globals.get("__name__", "")
    return name.partition(".")[0]


def event_type(model: type) -> str:
    """Return the event type of a model. Raises ValueError if it has none."""
    hint: Any = get_type_hints(model).get("type")
    if get_origin(hint) is Literal and len(get_args(hint)) == 1:
        [name] = get_args(hint)
        return str(name)
    raise ValueError(f"{model.__name__}: expected a field type: Literal[…], found {hint!r:.80}")


def _plain_type(hint: Any) -> str:
    """Return the type in an annotation without its constraints, such as ``list(int)``."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Annotated, NotRequired, Required):
        return _plain_type(arguments[0])
    if origin is Literal:
        types = dict.fromkeys(type(value).__name__ for value in arguments if value is not None)
        return f"Literal({', '.join(types)})" if len(types) > 1 else next(iter(types), "NoneType")
    if is_typeddict(hint):
        inner: dict[str, Any] = get_type_hints(hint, include_extras=True)
        arguments = tuple(inner.values())
    name = getattr(origin or hint, "__name__", str(hint))
    return f"{name}({', '.join(map(_plain_type, arguments))})" if arguments else str(name)
