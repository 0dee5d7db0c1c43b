"""Validate events of third-party rules before they are written.

Tests validate the events of Koth's own games; this module validates those of other packages, one by
one. The reader accepts every log that is written, and the error names the wrong event.
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
    """Validate every event of one log. Raises GameError at the first invalid one."""

    def __init__(self, card: Card, path: Path) -> None:
        self._card = card
        self._path = path
        self._log: reader.Log | None = None
        self._over = False
        self._ids: set[str] = set()

    def event(self, seq: int, event: Event) -> None:
        """Validate an event against its model and the first event of its log."""
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
        """Yield the matches of a schedule. Raises GameError for a wrong or repeated id or seat.

        Also raises it for the dice of a match that is not earlier in the schedule.
        """
        for match in schedule:
            try:
                _MATCH_ID.validate_python(match.id)
            except ValidationError:
                problem = f"match '{match.id}': expected an id {{attempt}}-{{number}} as '1-000042'"
                raise self._wrong(None, problem) from None
            if match.id in self._ids:
                raise self._wrong(None, f"match '{match.id}' is in the schedule twice")
            if match.dice is not None and match.dice not in self._ids:
                problem = f"match '{match.id}': expected the dice of an earlier match"
                raise self._wrong(None, f"{problem}, found those of '{match.dice}'")
            self._ids.add(match.id)
            if len({*match.seats} & {*range(entrants)}) < len(match.seats):
                problem = (
                    f"match '{match.id}': expected different numbers below {entrants} as seats"
                )
                raise self._wrong(None, f"{problem}, found {list(match.seats)}")
            yield match

    def _wrong(self, seq: int | None, problem: str) -> GameError:
        where = self._path if seq is None else f"{self._path}:{seq + 1}"
        return GameError(
            f"{where}: the rules {self._card.rules} of the package '{self._card.package}' are "
            f"broken: {problem}."
        )
