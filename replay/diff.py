"""Where two logs part, and what followed from it on either side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from replay.rerun import first_difference
from schema.canonical import Event
from schema.place import Place
from schema.reader import IncompleteLog, Log, read

SHOWN = 5
ENDS = ("match_finished", "tournament_finished")


@dataclass(frozen=True)
class Difference:
    """The first difference of two logs; ``seq`` is None when there is none."""

    paths: tuple[str, str]
    seq: int | None
    field: str = ""
    values: tuple[object, object] = (None, None)
    before: Sequence[Event] = ()
    """The events just before it, the same in both."""
    after: tuple[Sequence[Event], Sequence[Event]] = ((), ())
    """The first events from there on, in each."""
    ends: tuple[Event | None, Event | None] = (None, None)
    """How each of them ended."""


def diff(one: Place, other: Place) -> Difference:
    """Compare two logs event by event; either may lack its seal.

    Raises a LogError for a file that is no log.
    """
    paths = (str(one), str(other))
    left, right = _events(one), _events(other)
    for seq in range(max(len(left), len(right))):
        was = left[seq] if seq < len(left) else None
        now = right[seq] if seq < len(right) else None
        if was != now:
            field, *values = first_difference(was, now)
            return Difference(
                paths=paths,
                seq=seq,
                field=field,
                values=(values[0], values[1]),
                before=left[max(0, seq - SHOWN) : seq],
                after=(left[seq : seq + SHOWN], right[seq : seq + SHOWN]),
                ends=(_end(left), _end(right)),
            )
    return Difference(paths, None)


def _events(path: Place) -> Sequence[Event]:
    try:
        log: Log | None = read(path)
    except IncompleteLog as error:
        log = error.log
    events = log.events if log is not None else ()
    return [{"seq": seq, **event} for seq, event in enumerate(events)]


def _end(events: Sequence[Event]) -> Event | None:
    return next((event for event in reversed(events) if event["type"] in ENDS), None)
