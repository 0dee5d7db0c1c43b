"""The strict reader of logs.

It accepts a file only if every line is what the writer would have written:

1. the file ends in LF; a last line without LF is partial, and the log is incomplete;
2. each line is one JSON object whose ``seq`` is its number, counted from 0;
3. a log begins once, in line 1, and is sealed once, in its last line;
4. the seal counts the events above it and hashes their bytes;
5. ``format`` is read before events are validated against models: a newer one is unsupported;
6. every event is known, has exactly its declared fields with their types, and
   writing it again gives the same bytes.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from io import BytesIO
from itertools import islice, pairwise
from typing import Annotated, Any, Union, cast

import orjson
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from schema import registry, versions
from schema.canonical import Event
from schema.card import Card
from schema.contest_events import CONTEST_EVENTS
from schema.errors import CorruptLog, GameError, LogError, UnsupportedLog
from schema.events import MATCH_EVENTS, TOURNAMENT_EVENTS
from schema.files import open_regular
from schema.log_path import LogPath
from schema.rules_version import Version
from schema.scan import SEALS, STARTS, Opened, Scan, parse_block, scan, short_repr
from schema.words import counted, expectation

COMMON = {"match": MATCH_EVENTS, "tournament": TOURNAMENT_EVENTS, "contest": CONTEST_EVENTS}
"""The models of the events that all games share, by the kind of log."""

BLOCK = 256
"""Maximum events that are validated at a time."""

RESULTS = {"match_finished", "match_played", "disqualified", "tournament_finished"}
"""The events that hold results, and refer to seats or entrants by their numbers."""


@dataclass(frozen=True)
class Log:
    """A valid log: ``events[n]`` is the event of ``seq`` *n*, in line *n* + 1 of the file."""

    path: LogPath
    kind: str
    """``match``, ``tournament`` or ``contest``."""
    card: Card
    version: Version
    events: Sequence[Event]

    @cached_property
    def start(self) -> dict[str, Any]:
        """The first event."""
        return cast(dict[str, Any], self.events[0])

    @property
    def sealed(self) -> bool:
        """Whether the last event is a seal."""
        return self.events[-1]["type"] in SEALS

    @property
    def seal(self) -> dict[str, Any]:
        """The last event of a log that is sealed."""
        return cast(dict[str, Any], self.events[-1])

    @property
    def imported(self) -> bool:
        """Whether the log was imported from older results: it has no seed and no dice to replay."""
        return "source" in self.start

    @cached_property
    def models(self) -> TypeAdapter[list[Event]]:
        """The validator of the log's events."""
        own = self.version.event_models() if self.kind == "match" else ()
        return _adapter(COMMON[self.kind] + own)

    def settings(self) -> BaseModel:
        """Return the settings of the log's game."""
        values = orjson.dumps(self.start["settings"])
        return _settings(self.version.settings_model(), values)[0]


class IncompleteLog(LogError):
    """Raised for a log without a seal; ``log`` has its complete events, if there are any."""

    verdict = "incomplete"

    def __init__(
        self, path: LogPath, line: int, found: str, log: Log | None, partial_line: int = 0
    ) -> None:
        super().__init__(path, line, found)
        self.log = log
        self.partial_line = partial_line
        """Bytes of a last line without its LF."""


def read(path: LogPath) -> Log:
    """Read the log at ``path``, on disk or in a bundle.

    Raises a LogError that carries the verdict, or OSError.
    """
    return _read(path, lambda: open_regular(path))


def parse(data: bytes, path: LogPath) -> Log:
    """Read a log from its bytes; ``path`` is used in messages. Raises a LogError."""
    return _read(path, lambda: BytesIO(data))


@contextmanager
def _no_collection() -> Iterator[None]:
    """Disable the garbage collector, which would traverse all events so far again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _read(path: LogPath, opened: Opened) -> Log:
    with _no_collection():
        lines = scan(path, opened)
        if not lines.events:
            raise IncompleteLog(path, 1, "expected a first event, found none", None)
        events = _upcast(lines)
        log = _validated(path, STARTS[lines.first["type"]], events)
    if not lines.sealed:
        problem = f"after {counted(len(events), 'event')} there is no seal"
        if lines.partial_line:
            problem += f"; line {len(events) + 1} is torn after {lines.partial_line} bytes"
        raise IncompleteLog(path, len(events) + 1, problem, log, lines.partial_line)
    return log


def _upcast(lines: Scan) -> Sequence[Event]:
    """Return the events in the current format. Raises CorruptLog and UnsupportedLog."""
    path = lines.path
    try:
        format = versions.number(lines.first.get("format"))
    except ValueError as error:
        raise CorruptLog(path, 1, str(error)) from None
    try:
        return versions.upcast(lines.events, format)
    except versions.UnknownFormat as error:
        raise UnsupportedLog(path, 1, str(error)) from None


def _unsupported(path: LogPath, events: Sequence[Event], found: str) -> UnsupportedLog:
    """Return the error for a log of an unknown game.

    Raises CorruptLog if a number is not an integer of 64 bits, which holds for every game.
    """
    for seq, event in enumerate(events):
        check_integers(path, seq, event)
    return UnsupportedLog(path, 1, found)


def check_integers(path: LogPath, seq: int, event: Event, *, floats: bool = False) -> None:
    """Check that all numbers in an event are integers of 64 bits, or ``floats``.

    Raises CorruptLog.
    """
    values: list[object] = [event]
    while values:
        value = values.pop()
        if isinstance(value, dict):
            values += value.values()
        elif isinstance(value, list):
            values += value
        elif (type(value) is float and not floats) or (type(value) is int and value >= 1 << 63):
            expected = f"expected integers of 64 bits, found {short_repr(value)}"
            raise CorruptLog(path, seq + 1, expected)


def _blocks(events: Sequence[Event]) -> Iterator[tuple[int, list[Event]]]:
    """Yield ``events`` in blocks, each with the number of its first event."""
    remaining = iter(events)
    first = 0
    while block := list(islice(remaining, BLOCK)):
        yield first, block
        first += len(block)


def _validated(path: LogPath, kind: str, events: Sequence[Event]) -> Log:
    """Validate every event against its model, and return the log. Raises a LogError."""
    common = COMMON[kind]
    _validate(path, 0, _adapter(common[:1]), list(events[:1]))  # its start names the game
    card, version = _game(path, events)
    log = Log(path, kind, card, version, events)
    for first, block in _blocks(events):
        if unchecked := block if first else block[1:]:
            _validate(path, first or 1, log.models, unchecked)
        if first == 0:
            _check_start(log)
        for seq, event in enumerate(block, first):
            _check_values(log, seq, cast(dict[str, Any], event))
    return log


def read_start(line: bytes, path: LogPath) -> Log:
    """Return a log with its first event only, from its first line. Raises a LogError."""
    if line.endswith(b"\n"):
        [first] = parse_block(path, 0, [line[:-1]])
        if kind := STARTS.get(first["type"]):
            event = {key: value for key, value in first.items() if key != "seq"}
            return _validated(path, kind, _upcast(Scan(path, first=first, events=[event])))
    return parse(line, path)  # it raises the error


def check_event(log: Log, seq: int, event: Event) -> None:
    """Validate one event as :func:`read` does, by its model and the start. Raises CorruptLog."""
    _validate(log.path, seq, log.models, [event])
    _check_values(log, seq, cast(dict[str, Any], event))


def _game(path: LogPath, events: Sequence[Event]) -> tuple[Card, Version]:
    """Return the game and the rules version that the start names. Raises a LogError."""
    start = cast(dict[str, Any], events[0])
    try:
        card = registry.card(start["game"])
        version = card.versions.get(start["rules"])
        if version is not None:
            version.event_models()
            version.settings_model()
    except registry.UnknownGame:
        game, known = short_repr(start["game"]), ", ".join(registry.names())
        problem = f"game {game} is not known here; known: {known}. Install its package"
        raise _unsupported(path, events, problem) from None
    except GameError as error:
        raise _unsupported(path, events, str(error).removesuffix(".")) from None
    if version is None:
        rules, known = short_repr(start["rules"]), ", ".join(card.versions)
        other = f"another version of the package '{card.package}'"  # it may have dropped these
        use = "a newer koth" if card.built_in else other
        problem = f"rules {rules} are not known here; known: {known}. Use {use}"
        raise _unsupported(path, events, problem)
    return card, version


@cache
def _adapter(models: tuple[type, ...]) -> TypeAdapter[list[Event]]:
    """Return a validator that picks the model of an event by its type."""
    if len(models) == 1:
        return TypeAdapter(list[models[0]])  # type: ignore[valid-type]
    union: Any = Annotated[Union[models], Field(discriminator="type")]  # noqa: UP007
    return TypeAdapter(list[union])


def _validate(
    path: LogPath, first: int, adapter: TypeAdapter[list[Event]], events: list[Event]
) -> None:
    """Validate ``events``, the first of which has the number ``first``. Raises CorruptLog."""
    try:
        valid = adapter.validate_python(events)
    except ValidationError as error:
        position = cast(int, error.errors()[0]["loc"][0])
        raise CorruptLog(path, first + position + 1, describe(error, inside=1)) from None
    if orjson.dumps(valid) != orjson.dumps(events):  # the models give the declared order
        pairs = zip(map(orjson.dumps, valid), map(orjson.dumps, events), strict=True)
        position = next(n for n, (ordered, actual) in enumerate(pairs) if ordered != actual)
        expected = "expected the fields in their declared order, found another"
        raise CorruptLog(path, first + position + 1, expected)


def describe(error: ValidationError, inside: int = 0) -> str:
    """Return the first error of a validation in one line.

    ``inside`` is the number of outer parts that are left out of the field's path.
    """
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][inside:]) or "event"
    if first["type"] == "extra_forbidden":
        return f"{where[:80]}: unknown field"
    if first["type"] == "missing":
        return f"{where}: expected this field, found none"
    found, message = first["input"], expectation(first["msg"])
    if first["type"] == "union_tag_invalid":
        found = first["ctx"]["tag"]
        where, message = f"{where}.type", f"expected {first['ctx']['expected_tags']}"
    return f"{where}: {message}, found {short_repr(found)}"


@lru_cache(64)
def _settings(model: type[BaseModel], values: bytes) -> tuple[BaseModel, bytes]:
    """Return settings from JSON, and the same with defaults as JSON. Raises ValidationError.

    All matches of a tournament share them: a model of settings is frozen.
    """
    settings = model.model_validate(orjson.loads(values), strict=True)
    return settings, orjson.dumps(settings.model_dump())


def _check_start(log: Log) -> None:
    """Check the first event beyond the types of its fields. Raises CorruptLog."""
    start, path = log.start, log.path
    values = orjson.dumps(start["settings"])
    try:
        settings, complete = _settings(log.version.settings_model(), values)
    except ValidationError as error:
        raise CorruptLog(path, 1, f"settings.{describe(error)}") from None
    if complete != values:
        raise CorruptLog(path, 1, "expected every setting in its declared order, found another")
    if log.kind == "contest":
        return
    key, number = ("players", "seat") if log.kind == "match" else ("entrants", "entrant")
    bots = start[key]
    if [bot[number] for bot in bots] != list(range(len(bots))):
        raise CorruptLog(path, 1, f"{key}: expected {number}s numbered from 0, found others")
    if len({bot["name"] for bot in bots}) != len(bots):
        raise CorruptLog(path, 1, f"{key}: expected different names, found one twice")
    try:
        if log.kind == "match":
            log.card.check_number("seats", len(bots), settings)
    except ValueError as error:
        raise CorruptLog(path, 1, str(error)) from None
    except GameError as error:
        raise _unsupported(path, log.events, str(error).removesuffix(".")) from None
    _check_pairings(log)
    _check_seeds(log)


def _check_pairings(log: Log) -> None:
    """Check that the pairings of a tournament are pairs of its entrants, ascending.

    Raises CorruptLog.
    """
    pairings, number = log.start.get("pairings", []), len(log.start.get("entrants", ()))
    if pairings and log.card.plays != "pairings":
        found = f"pairings: expected none in a tournament of {log.card.title}, found some"
        raise CorruptLog(log.path, 1, found)
    ordered = all(one < two for one, two in pairwise(pairings))
    if not ordered or not all(one < two < number for one, two in pairings):
        found = "pairings: expected pairs of entrants, each once and ascending, found others"
        raise CorruptLog(log.path, 1, found)


def _check_values(log: Log, seq: int, event: dict[str, Any]) -> None:
    """Check an event beyond the types of its fields. Raises CorruptLog."""
    if not log.card.built_in:  # models of packages may have any integers, and SQL has none beyond
        check_integers(log.path, seq, event, floats=True)
    _check_result(log, seq, event)


def _check_result(log: Log, seq: int, event: dict[str, Any]) -> None:
    """Check that a result has a score for every seat, and names existing seats and entrants."""
    if event["type"] not in RESULTS:
        return
    if max(_entrants(event), default=-1) >= len(log.start.get("entrants", ())):
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
    if max(named, default=-1) >= seats:
        raise CorruptLog(log.path, seq + 1, f"expected seats below {seats}, found another")


def _entrants(event: dict[str, Any]) -> list[int]:
    """Return the numbers of the entrants that an event of a tournament names."""
    match event["type"]:
        case "match_played":
            return list(event["seats"])
        case "disqualified":
            return [event["entrant"]]
        case "tournament_finished":
            return [standing["entrant"] for standing in event["standings"]]
    return []


def _check_seeds(log: Log) -> None:
    """Check that a log commits to a seed and reveals it, or is imported and has neither."""
    lines = [(1, log.start, "seed_commitment")]
    if log.sealed:
        lines.append((len(log.events), log.seal, "seed"))
    for number, event, key in lines:
        if (key in event) == log.imported:
            expected = f"no {key}, found one" if log.imported else f"a {key}, found none"
            raise CorruptLog(log.path, number, f"expected {expected}")
