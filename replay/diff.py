"""Where two logs part, and what followed from it on either side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from replay import timeline
from replay.rerun import first_difference
from schema.canonical import Event
from schema.errors import KothError
from schema.log_path import LogPath
from schema.reader import IncompleteLog, Log, read
from schema.scan import SEALS

SHOWN = 5
ENDS = ("match_finished", "tournament_finished")


@dataclass(frozen=True)
class Question:
    """A question of the rules."""

    ask: str
    observation: Mapping[str, object]
    legal: Sequence[str]


@dataclass(frozen=True)
class Difference:
    """The first difference of two logs behind their headers; ``seq`` is None if there is none."""

    paths: tuple[str, str]
    seq: int | None
    header: Sequence[str] = ()
    """The fields of the first event that differ; if only these do, ``seq`` is 0."""
    question: Question | None = None
    """What was asked in the first log, where the event is an answer."""
    field: str = ""
    values: tuple[object, object] = (None, None)
    before: Sequence[Event] = ()
    """The events just before it, the same in both."""
    after: tuple[Sequence[Event], Sequence[Event]] = ((), ())
    """The first events from there on, in each."""
    ends: tuple[Event | None, Event | None] = (None, None)
    """How each of them ended."""


def diff(one: LogPath, other: LogPath) -> Difference:
    """Compare two logs event by event; either may lack its seal.

    Raises a LogError for a file that is no log.
    """
    paths = (str(one), str(other))
    left, right = _events(one), _events(other)
    header = _header(left, right)
    for seq in range(1 if header else 0, max(len(left), len(right))):
        was = left[seq] if seq < len(left) else None
        now = right[seq] if seq < len(right) else None
        if was != now and not (header and _is_seal(was) and _is_seal(now)):
            field, *values = first_difference(was, now)
            return Difference(
                paths=paths,
                seq=seq,
                header=header,
                question=_question(one, seq),
                field=field,
                values=(values[0], values[1]),
                before=left[max(0, seq - SHOWN) : seq],
                after=(left[seq : seq + SHOWN], right[seq : seq + SHOWN]),
                ends=(_end(left), _end(right)),
            )
    if header:
        field, was_, now_ = first_difference(left[0], right[0])
        return Difference(
            paths, 0, header, None, field, (was_, now_), ends=(_end(left), _end(right))
        )
    return Difference(paths, None)


def _header(left: Sequence[Event], right: Sequence[Event]) -> Sequence[str]:
    """The fields in which the first events of two logs of one game differ."""
    if not left or not right or left[0]["type"] != right[0]["type"]:
        return ()
    one, other = left[0], right[0]
    if (one.get("game"), one.get("rules")) != (other.get("game"), other.get("rules")):
        return ()
    return [key for key in dict.fromkeys((*one, *other)) if one.get(key) != other.get(key)]


def _is_seal(event: Event | None) -> bool:
    """Whether it is a seal: those of logs whose headers differ always differ."""
    return event is not None and event["type"] in SEALS


def _question(path: LogPath, seq: int) -> Question | None:
    """The question that event ``seq`` answers, if it does and the log can be replayed."""
    try:
        found = timeline.read(path)[seq]
    except (KothError, OSError, IndexError):
        return None
    if found.ask is None or found.answer is None or found.answer.seq != seq:
        return None
    return Question(found.ask.name, found.ask.observation._asdict(), found.ask.legal)


def _events(path: LogPath) -> Sequence[Event]:
    try:
        log: Log | None = read(path)
    except IncompleteLog as error:
        log = error.log
    events = log.events if log is not None else ()
    return [{"seq": seq, **event} for seq, event in enumerate(events)]


def _end(events: Sequence[Event]) -> Event | None:
    return next((event for event in reversed(events) if event["type"] in ENDS), None)
