"""The strict reader of logs.

It accepts a file only if every line is what the writer would have written:

1. the file ends in LF; a last line without it is a torn tail, and the log is incomplete;
2. each line is one JSON object whose ``seq`` is its number, counted from 0;
3. a log begins once, in line 1, and is sealed once, in its last line;
4. the seal counts the events above it and hashes their bytes;
5. ``format`` is read before anything is held against the models: a newer one is unsupported;
6. every event is known, has exactly its declared fields with their types, and
   writing it again gives the same bytes.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from io import BytesIO
from itertools import islice
from typing import Annotated, Any, Union, cast, get_args, get_type_hints

import orjson
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from schema import registry, versions
from schema.canonical import Event
from schema.errors import CorruptLog, GameError, LogError, UnsupportedLog, UsageError
from schema.events import MATCH_EVENTS, TOURNAMENT_EVENTS
from schema.files import open_regular
from schema.log_path import LogPath
from schema.registry import Card, Version
from schema.scan import BLOCK, SEALS, STARTS, Opened, Scan, scan, shown
from schema.words import counted

COMMON = {"match": MATCH_EVENTS, "tournament": TOURNAMENT_EVENTS}
"""The models of the events that all games share, by the kind of log."""

RESULTS = {"match_finished", "match_played", "disqualified", "tournament_finished"}
"""The events that say how it went, of seats or entrants by their numbers."""


@dataclass(frozen=True)
class Log:
    """A log as read: ``events[n]`` is the event of ``seq`` *n*, which stands in line *n* + 1."""

    path: LogPath
    kind: str
    """``match`` or ``tournament``."""
    card: Card
    version: Version
    events: Sequence[Event]

    @property
    def start(self) -> dict[str, Any]:
        """The first event."""
        return cast(dict[str, Any], self.events[0])

    @property
    def seal(self) -> dict[str, Any]:
        """The last event of a log that is sealed."""
        return cast(dict[str, Any], self.events[-1])

    @property
    def imported(self) -> bool:
        """Whether this is a record of what was seen, with no seed and nothing to re-run."""
        return "source" in self.start

    @cached_property
    def models(self) -> TypeAdapter[list[Event]]:
        """What its events are held against."""
        own = () if self.kind == "tournament" else self.version.event_models()
        return _adapter(COMMON[self.kind] + own)

    def settings(self) -> BaseModel:
        """The settings that the log was played with."""
        return self.version.settings_model().model_validate(self.start["settings"])


class IncompleteLog(LogError):
    """A log without its seal. ``log`` holds the whole events that are there, if there are any."""

    verdict = "incomplete"

    def __init__(self, path: LogPath, line: int, found: str, log: Log | None) -> None:
        super().__init__(path, line, found)
        self.log = log


def read(path: LogPath) -> Log:
    """Read the log at ``path``, on disk or in a bundle.

    Raises a LogError that carries the verdict, or OSError.
    """
    return _read(path, lambda: open_regular(path))


def parse(data: bytes, path: LogPath) -> Log:
    """Read a log from its bytes; ``path`` is for messages. Raises a LogError."""
    return _read(path, lambda: BytesIO(data))


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keeps the garbage collector from walking over all that was read so far, again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _read(path: LogPath, opened: Opened) -> Log:
    with _no_collection():
        found = scan(path, opened)
        if not found.events:
            raise IncompleteLog(path, 1, "expected a first event, found none", None)
        events = _known_format(found)
        log = _log(path, STARTS[found.first["type"]], events)
    if not found.sealed:
        told = f"after {counted(len(events), 'event')} there is no seal"
        if found.partial_line:
            told += f"; line {len(events) + 1} is torn after {found.partial_line} bytes"
        raise IncompleteLog(path, len(events) + 1, told, log)
    return log


def _known_format(found: Scan) -> Sequence[Event]:
    """The events, lifted to the current format."""
    path = found.path
    try:
        format = versions.number(found.first.get("format"))
    except ValueError as error:
        raise CorruptLog(path, 1, str(error)) from None
    try:
        return versions.upcast(found.events, format)
    except versions.UnknownFormat as error:
        raise UnsupportedLog(path, 1, str(error)) from None


def _unsupported(path: LogPath, events: Sequence[Event], found: str) -> UnsupportedLog:
    """The error for a log of a game that is not known. Raises CorruptLog for one that is no log.

    Its models are not known, but its numbers are integers of 64 bits, as in all logs.
    """
    for seq, event in enumerate(events):
        values: list[object] = [event]
        while values:
            value = values.pop()
            if isinstance(value, dict):
                values += value.values()
            elif isinstance(value, list):
                values += value
            elif isinstance(value, float) or (isinstance(value, int) and not value < 1 << 63):
                expected = f"expected integers of 64 bits, found {shown(value)}"
                raise CorruptLog(path, seq + 1, expected)
    return UnsupportedLog(path, 1, found)


def _blocks(events: Sequence[Event]) -> Iterator[tuple[int, list[Event]]]:
    """``events`` in blocks, each with the number of its first."""
    remaining = iter(events)
    first = 0
    while block := list(islice(remaining, BLOCK)):
        yield first, block
        first += len(block)


def _log(path: LogPath, kind: str, events: Sequence[Event]) -> Log:
    """The log, with every event held against its model."""
    common = COMMON[kind]
    _validate(path, 0, _adapter(common[:1]), list(events[:1]))  # before its game can be looked up
    card, version = _game(path, events)
    log = Log(path, kind, card, version, events)
    for first, block in _blocks(events):
        _validate(path, first, log.models, block)
        if first == 0:
            _check_start(log)
        for seq, event in enumerate(block, first):
            _check_result(log, seq, cast(dict[str, Any], event))
    return log


def begun(line: bytes, path: LogPath) -> Log:
    """The log that begins with ``line``, read as :func:`read` does; its start is its only event.

    Raises a LogError.
    """
    try:
        return parse(line, path)
    except IncompleteLog as error:
        if error.log is None:
            raise
        return error.log


def check(log: Log, seq: int, event: Event) -> None:
    """Hold an event against its model and the start, as :func:`read` does. Raises CorruptLog."""
    _validate(log.path, seq, log.models, [event])
    _check_result(log, seq, cast(dict[str, Any], event))


@cache
def common_types(kind: str) -> frozenset[str]:
    """The types of the events that all games share, in logs of this kind."""
    return frozenset(get_args(get_type_hints(model)["type"])[0] for model in COMMON[kind])


def _game(path: LogPath, events: Sequence[Event]) -> tuple[Card, Version]:
    start = cast(dict[str, Any], events[0])
    try:
        card = registry.card(start["game"])
        version = card.versions.get(start["rules"])
        if version is not None:
            version.event_models()
            version.settings_model()
    except (UsageError, GameError) as error:
        raise _unsupported(path, events, str(error)) from None
    if version is None:
        known = ", ".join(card.versions)
        found = (
            f"rules {shown(start['rules'])} are not known here; known: {known}. Use a newer koth"
        )
        raise _unsupported(path, events, found)
    return card, version


@cache
def _adapter(models: tuple[type, ...]) -> TypeAdapter[list[Event]]:
    """Holds events against those of ``models`` that have their types."""
    if len(models) == 1:
        return TypeAdapter(list[models[0]])  # type: ignore[valid-type]
    union: Any = Annotated[Union[models], Field(discriminator="type")]  # noqa: UP007
    return TypeAdapter(list[union])


def _validate(
    path: LogPath, first: int, adapter: TypeAdapter[list[Event]], events: list[Event]
) -> None:
    """Hold ``events`` against their models; the first of them is event ``first``."""
    try:
        valid = adapter.validate_python(events)
    except ValidationError as error:
        place = cast(int, error.errors()[0]["loc"][0])
        raise CorruptLog(path, first + place + 1, describe(error, inside=1)) from None
    if orjson.dumps(valid) != orjson.dumps(events):  # the models give the declared order
        place = next(
            n for n, one in enumerate(valid) if orjson.dumps(one) != orjson.dumps(events[n])
        )
        expected = "expected the fields in their declared order, found another"
        raise CorruptLog(path, first + place + 1, expected)


def describe(error: ValidationError, inside: int = 0) -> str:
    """The first thing that a model found wrong, in one line.

    ``inside`` says how many outer parts of its place are left out.
    """
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][inside:]) or "event"
    if first["type"] == "extra_forbidden":
        return f"{where[:80]}: unknown field"
    if first["type"] == "missing":
        return f"{where}: expected this field, found none"
    return f"{where}: {first['msg']}, found {shown(first['input'])}"


def _check_start(log: Log) -> None:
    """What a start must hold beyond the types of its fields."""
    start, path = log.start, log.path
    model = log.version.settings_model()
    try:
        settings = model.model_validate(start["settings"], strict=True).model_dump()
    except ValidationError as error:
        raise CorruptLog(path, 1, f"settings.{describe(error)}") from None
    if list(settings.items()) != list(start["settings"].items()):
        raise CorruptLog(path, 1, "expected every setting in its declared order, found another")
    key, number = ("players", "seat") if log.kind == "match" else ("entrants", "entrant")
    people = start[key]
    if [person[number] for person in people] != list(range(len(people))):
        raise CorruptLog(path, 1, f"{key}: expected {number}s numbered from 0, found others")
    if len({person["name"] for person in people}) != len(people):
        raise CorruptLog(path, 1, f"{key}: expected different names, found one twice")
    try:
        if log.kind == "match":
            log.card.check_number("seats", len(people), log.settings())
    except ValueError as error:
        raise CorruptLog(path, 1, str(error)) from None
    _check_seeds(log)


def _check_result(log: Log, seq: int, event: dict[str, Any]) -> None:
    """A result has a score for every seat, and names seats and entrants that there are."""
    if event["type"] not in RESULTS:
        return
    if any(entrant >= len(log.start["entrants"]) for entrant in _entrants(event)):
        raise CorruptLog(log.path, seq + 1, "expected the number of an entrant, found another")
    if event["type"] == "match_played":
        seats = len(event["seats"])
    elif event["type"] == "match_finished":
        seats = len(log.start["players"])
    else:
        return
    if len(event["scores"]) != seats:
        found = f"scores: expected {seats}, one for each seat, found {len(event['scores'])}"
        raise CorruptLog(log.path, seq + 1, found)
    if len(set(event["winners"])) != len(event["winners"]):
        raise CorruptLog(log.path, seq + 1, "winners: expected each once, found one twice")
    named = [*event["winners"], *(fault["seat"] for fault in event.get("faults", ()))]
    if any(seat >= seats for seat in named):
        raise CorruptLog(log.path, seq + 1, f"expected seats below {seats}, found another")


def _entrants(event: dict[str, Any]) -> list[int]:
    """The entrants that an event of a tournament names by their numbers."""
    match event["type"]:
        case "match_played":
            return list(event["seats"])
        case "disqualified":
            return [event["entrant"]]
        case "tournament_finished":
            return [standing["entrant"] for standing in event["standings"]]
    return []


def _check_seeds(log: Log) -> None:
    """A log commits to a seed and reveals it in the seal, or it is imported and has neither."""
    places = [(1, log.start, "seed_commitment")]
    if log.events[-1]["type"] in SEALS:
        places.append((len(log.events), log.seal, "seed"))
    for number, event, key in places:
        if (key in event) == log.imported:
            expected = "no" if log.imported else "a"
            found = "one" if log.imported else "none"
            raise CorruptLog(log.path, number, f"expected {expected} {key}, found {found}")
