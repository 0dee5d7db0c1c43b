"""Holds other people's rules to what a log may say, while they are at work.

The rules of Koth's own games are tested against their event models. Those of other packages are
held against theirs here, event by event, so that no log is written that its reader would refuse,
and whoever writes the rules hears what is wrong with which event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from games.table import Match
from schema import reader
from schema.canonical import Event, line
from schema.errors import CorruptLog, GameError
from schema.fields import MatchId
from schema.registry import Card

ENDS = ("match_finished", "tournament_finished")

_MATCH_ID: TypeAdapter[str] = TypeAdapter(MatchId)


class EventValidator:
    """Hears every event of one log before it is written. Raises GameError at the first bad one."""

    def __init__(self, card: Card, path: Path) -> None:
        self._card = card
        self._path = path
        self._log: reader.Log | None = None
        self._over = False
        self._ids: set[str] = set()

    def event(self, seq: int, event: Event) -> None:
        """Hold an event against its model, and against the start of its log."""
        if self._over:
            raise self._wrong(seq, f"they went on after their end, with {event!r:.200}")
        try:
            if self._log is None:
                self._log = reader.read_start(line(0, event), self._path)
            else:
                reader.check_event(self._log, seq, event)
        except CorruptLog as error:
            raise self._wrong(seq, f"{error.found}. The event: {event!r:.400}") from error
        self._over = event["type"] in ENDS

    def matches(self, schedule: Iterable[Match], entrants: int) -> Iterator[Match]:
        """The matches of a schedule, each with an id of its own and seats that there are."""
        for match in schedule:
            try:
                _MATCH_ID.validate_python(match.id)
            except ValidationError:
                told = f"match '{match.id}': expected an id {{attempt}}-{{number}} as '1-000042'"
                raise self._wrong(None, told) from None
            if match.id in self._ids:
                raise self._wrong(None, f"match '{match.id}' is in the schedule twice")
            self._ids.add(match.id)
            if len({*match.seats} & {*range(entrants)}) < len(match.seats):
                told = f"match '{match.id}': expected different numbers below {entrants} as seats"
                raise self._wrong(None, f"{told}, found {list(match.seats)}")
            yield match

    def _wrong(self, seq: int | None, told: str) -> GameError:
        where = self._path if seq is None else f"{self._path}:{seq + 1}"
        return GameError(
            f"{where}: the rules {self._card.rules} of the package '{self._card.package}' are "
            f"broken: {told}."
        )
