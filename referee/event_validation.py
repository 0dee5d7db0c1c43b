"""Validate questions and events of third-party rules before they are asked and written.

Tests validate those of Koth's own games; this module validates those of other packages, one by one.
The reader accepts every log that is written, a replay finds each answer where it looks for it, and
the error names the wrong event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from games.recorded import ANSWERS
from games.table import ArgvCall, Ask, FileCall, JointAsk, Match, StreamCall
from schema import reader
from schema.canonical import Event, line
from schema.choices import legal_integers
from schema.errors import CorruptLog, GameError
from schema.fields import MatchId
from schema.registry import Card

ENDS = ("match_finished", "tournament_finished")

CALLS: dict[str, type] = {"argv": ArgvCall, "file": FileCall, "stream": StreamCall}
"""The observation of a question, by protocol."""

_MATCH_ID: TypeAdapter[str] = TypeAdapter(MatchId)


class EventValidator:
    """Validate all questions and events of one log. Raises GameError at the first invalid one.

    Without a ``path`` there is no log yet, and only a question can be validated.
    """

    def __init__(self, card: Card, path: Path | None = None) -> None:
        self._card = card
        self._path = path
        self._log: reader.Log | None = None
        self._over = False
        self._ids: set[str] = set()
        self._asked = 0
        self._left: list[Ask] = []
        """Those of the ``_asked`` questions whose answers are not recorded yet."""
        self._due: tuple[str, ...] = ()
        """After a joint question: the types of which the next event must have one."""

    def question(self, seq: int, question: Any, seats: int | None = None) -> None:
        """Validate a question of a match of so many ``seats``; ``seq`` is that of the next event.

        None stands for any number of seats.

        :func:`games.table.drive_rules` tells what is no question at all.
        """
        if self._left:
            raise self._wrong(seq, self._unrecorded())
        self._check_order(seq)
        protocol = self._card.protocol
        if isinstance(question, JointAsk) and protocol == "class":
            self._joint_question(seq, question)
        elif isinstance(question, JointAsk) or protocol == "class":
            expected = "a JointAsk" if protocol == "class" else "a list of Ask"
            raise self._wrong(seq, f"expected {expected} ({protocol}), found {question!r:.80}")
        elif isinstance(question, list) and all(isinstance(ask, Ask) for ask in question):
            self._questions(seq, question, seats)

    def _questions(self, seq: int, question: list[Ask], seats: int | None) -> None:
        call = CALLS[self._card.protocol]
        for ask in question:
            if seats is not None and ask.seat not in range(seats):
                problem = f"expected a seat below {seats} in the question '{ask.name}'"
                raise self._wrong(seq, f"{problem}, found {ask.seat!r:.80}")
            if not isinstance(ask.observation, call):
                problem = f"expected {call.__name__}(…) in the question '{ask.name}'"
                raise self._wrong(seq, f"{problem}, found {ask.observation!r:.80}")
        self._asked, self._left = len(question), [*question]

    def _joint_question(self, seq: int, question: JointAsk) -> None:
        try:
            legal_integers(question.legal)
        except ValueError:
            problem = f"expected integers as legal answers to '{question.name}'"
            raise self._wrong(seq, f"{problem}, found {question.legal!r:.80}") from None
        carrier = self._card.current.carriers.get(question.name)
        if question.legal and carrier is None:
            problem = f"its card names no event that holds the choices of '{question.name}'"
            raise self._wrong(seq, f"{problem} (carriers)")
        self._due = (carrier.event, *ANSWERS) if question.legal and carrier else ()

    def _check_order(self, seq: int, type: str = "", seat: int = 0, ask: str = "") -> None:
        """Check that an event, or the next question, does not come before a recorded answer."""
        if self._due and type not in self._due:
            expected = f"expected the event {' or '.join(self._due)} after a joint question"
            raise self._wrong(seq, f"{expected}, found {type or 'another question'}")
        self._due = ()
        if type in ANSWERS and self._left:
            first = self._left.pop(0)
            if (seat, ask) != (first.seat, first.name):
                expected = f"expected the answer of seat {first.seat} to '{first.name}'"
                raise self._wrong(seq, f"{expected}, found that of seat {seat} to '{ask}'")
        elif type in ENDS and self._left and len(self._left) == self._asked:
            raise self._wrong(seq, self._unrecorded())

    def _unrecorded(self) -> str:
        ask = self._left[0]
        return f"they do not record the answer of seat {ask.seat} to '{ask.name}'"

    def event(self, seq: int, event: Event) -> None:
        """Validate an event against its model and the first event of its log."""
        assert self._path is not None
        if self._over:
            raise self._wrong(seq, f"they went on after their end, with {event!r:.200}")
        try:
            if self._log is None:
                self._log = reader.read_start(line(0, event), self._path)
            else:
                reader.check_event(self._log, seq, event)
        except CorruptLog as error:
            raise self._wrong(seq, f"{error.found}. The event: {event!r:.400}") from error
        fields: Mapping[str, Any] = event
        self._check_order(seq, fields["type"], fields.get("seat", 0), fields.get("ask", ""))
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
        line = "" if seq is None else f":{seq + 1}"
        where = f"{self._path}{line}: " if self._path else ""
        return GameError(
            f"{where}the rules {self._card.rules} of the package '{self._card.package}' are "
            f"broken: {problem}."
        )
