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
from hashlib import sha256
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_type_hints

import orjson
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from schema import registry, versions
from schema.canonical import Event
from schema.errors import CorruptLog, GameError, LogError, UnsupportedLog, UsageError
from schema.events import MATCH_EVENTS, TOURNAMENT_EVENTS
from schema.place import Place
from schema.registry import Card, Version
from schema.words import counted

STARTS = {"match_started": "match", "tournament_started": "tournament"}
SEALS = {"match_sealed": "match", "tournament_sealed": "tournament"}
COMMON = {"match": MATCH_EVENTS, "tournament": TOURNAMENT_EVENTS}
"""The models of the events that all games share, by the kind of log."""

RESULTS = {"match_finished", "match_played", "disqualified", "tournament_finished"}
"""The events that say how it went, of seats or entrants by their numbers."""

T = TypeVar("T")

BLOCK = 256
"""How many lines are parsed, and held against the models, at a time."""


@dataclass(frozen=True)
class Log:
    """A log as read: ``events[n]`` is the event of ``seq`` *n*, which stands in line *n* + 1."""

    path: Place
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

    def __init__(self, path: Place, line: int, found: str, log: Log | None) -> None:
        super().__init__(path, line, found)
        self.log = log


def read(path: Place) -> Log:
    """Read the log at ``path``, on disk or in a bundle.

    Raises a LogError that carries the verdict, or OSError.
    """
    return parse(path.read_bytes(), path)


def parse(data: bytes, path: Place) -> Log:
    """Read a log from its bytes; ``path`` is for messages. Raises a LogError."""
    with _no_collection():
        return _parse(data, path)


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


def _parse(data: bytes, path: Place) -> Log:
    lines = data.split(b"\n")
    torn = lines.pop()
    objects = [found for first, block in _blocks(lines) for found in _objects(path, first, block)]
    sealed = _check_ends(path, objects, torn)
    if not objects:
        raise IncompleteLog(path, 1, "expected a first event, found none", None)
    if sealed:
        _check_seal(path, objects[-1], len(objects) - 1, data, len(lines[-1]) + 1)
    events = _known_format(path, objects)
    kind = STARTS[cast(str, events[0]["type"])]
    log = _log(path, kind, events)
    if not sealed:
        found = f"after {counted(len(events), 'event')} there is no seal"
        if torn:
            found += f"; line {len(events) + 1} is torn after {len(torn)} bytes"
        raise IncompleteLog(path, len(events) + 1, found, log)
    return log


def _blocks(items: list[T]) -> Iterator[tuple[int, list[T]]]:
    """``items`` in blocks, each with the number of its first."""
    return ((first, items[first : first + BLOCK]) for first in range(0, len(items), BLOCK))


def _objects(path: Place, first: int, lines: list[bytes]) -> list[dict[str, Any]]:
    """The events in ``lines``, of which the first is event ``first``.

    Parsed at once if all is well; else line by line, to say where it is not.
    """
    try:
        found: list[Any] = orjson.loads(b"[%b]" % b",".join(lines))
        if [orjson.dumps(one) for one in found] == lines and all(
            line.startswith(b'{"seq":%d,"type":"' % seq) for seq, line in enumerate(lines, first)
        ):
            return found
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        pass
    return [_object(path, seq, text) for seq, text in enumerate(lines, first)]


def _object(path: Place, seq: int, text: bytes) -> dict[str, Any]:
    try:
        text.decode()
        found = orjson.loads(text)
    except UnicodeDecodeError as error:
        byte = f"{text[error.start]:#04x} as byte {error.start + 1} of the line"
        raise CorruptLog(path, seq + 1, f"expected text in UTF-8, found {byte}") from None
    except orjson.JSONDecodeError as error:
        raise CorruptLog(path, seq + 1, f"expected a JSON object, found {error}") from None
    if not isinstance(found, dict) or not isinstance(found.get("type"), str):
        raise CorruptLog(path, seq + 1, 'expected an event with a "type", found something else')
    if type(found.get("seq")) is not int or found["seq"] != seq:
        raise CorruptLog(path, seq + 1, f"expected seq {seq}, found {shown(found.get('seq'))}")
    if not _is_canonical(found, text):
        expected = "the byte layout of a log (seq and type first, no white space, LF)"
        raise CorruptLog(path, seq + 1, f"expected {expected}, found another")
    return found


def _is_canonical(found: dict[str, Any], text: bytes) -> bool:
    try:
        return list(found)[:2] == ["seq", "type"] and orjson.dumps(found) == text
    except orjson.JSONEncodeError:  # nested deeper than the writer goes
        return False


def _check_ends(path: Place, objects: Sequence[dict[str, Any]], torn: bytes) -> bool:
    """Whether the log is sealed. Raises CorruptLog where beginning, end or tail are misplaced."""
    for seq, found in enumerate(objects):
        if (found["type"] in STARTS) != (seq == 0):
            expected = "the start of a log" if seq == 0 else "an event of the log begun above"
            raise CorruptLog(path, seq + 1, f"expected {expected}, found {shown(found['type'])}")
        if found["type"] in SEALS and (seq + 1 < len(objects) or torn):
            raise CorruptLog(path, seq + 2, "expected nothing after the seal, found more")
    expected_head = b'{"seq":%d,"type":"' % len(objects)
    if not torn.startswith(expected_head[: len(torn)]):
        raise CorruptLog(path, len(objects) + 1, f"expected event {len(objects)}, found garbage")
    if not objects or objects[-1]["type"] not in SEALS:
        return False
    if SEALS[objects[-1]["type"]] != STARTS[objects[0]["type"]]:
        raise CorruptLog(path, len(objects), "expected the seal of the log begun above")
    return True


def _check_seal(path: Place, seal: dict[str, Any], above: int, data: bytes, tail: int) -> None:
    digest = sha256(memoryview(data)[: len(data) - tail]).hexdigest()
    for key, actual in (("events", above), ("sha256", digest)):
        if seal.get(key) != actual:
            raise CorruptLog(
                path,
                above + 1,
                f"the seal says {key} {shown(seal.get(key))}, the bytes give {actual!r}: "
                "the log was changed after it was sealed",
            )


def _known_format(path: Place, objects: list[dict[str, Any]]) -> list[Event]:
    """The events without their ``seq``, lifted to the current format."""
    try:
        format = versions.number(objects[0].get("format"))
    except ValueError as error:
        raise CorruptLog(path, 1, str(error)) from None
    for found in objects:
        del found["seq"]
    try:
        return versions.upcast(objects, format)
    except versions.UnknownFormat as error:
        raise UnsupportedLog(path, 1, str(error)) from None


def _log(path: Place, kind: str, events: list[Event]) -> Log:
    """The log, with every event held against its model."""
    common = COMMON[kind]
    _validate(path, 0, _adapter(common[:1]), events[:1])  # before its game can be looked up
    card, version = _game(path, cast(dict[str, Any], events[0]))
    log = Log(path, kind, card, version, events)
    for first, block in _blocks(events):
        _validate(path, first, log.models, block)
    _check_start(log)
    for seq, event in enumerate(events):
        _check_result(log, seq, cast(dict[str, Any], event))
    return log


def begun(line: bytes, path: Place) -> Log:
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


def _game(path: Place, start: dict[str, Any]) -> tuple[Card, Version]:
    try:
        card = registry.card(start["game"])
        version = card.versions.get(start["rules"])
        if version is not None:
            version.event_models()
            version.settings_model()
    except (UsageError, GameError) as error:
        raise UnsupportedLog(path, 1, str(error)) from None
    if version is None:
        known = ", ".join(card.versions)
        found = (
            f"rules {shown(start['rules'])} are not known here; known: {known}. Use a newer koth"
        )
        raise UnsupportedLog(path, 1, found)
    return card, version


@cache
def _adapter(models: tuple[type, ...]) -> TypeAdapter[list[Event]]:
    """Holds events against those of ``models`` that have their types."""
    if len(models) == 1:
        return TypeAdapter(list[models[0]])  # type: ignore[valid-type]
    union: Any = Annotated[Union[models], Field(discriminator="type")]  # noqa: UP007
    return TypeAdapter(list[union])


def _validate(
    path: Place, first: int, adapter: TypeAdapter[list[Event]], events: list[Event]
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


def shown(value: object) -> str:
    """A value out of a log, short enough for a message."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}…"


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
