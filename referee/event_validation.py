"""Validate questions and events of third-party rules before they are asked and written.

Tests validate those of Koth's own games; this module validates those of other packages, one by one.
The reader accepts every log that is written, a replay finds each answer where it looks for it, and
the error names the wrong event.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from games.driving import next_question
from games.recorded import ANSWERS, read_reply, read_result, reply_fields
from games.table import (
    ArgvCall,
    Ask,
    ClassCall,
    FileCall,
    JointAsk,
    Match,
    MatchRules,
    Played,
    Reply,
    Result,
    Schedule,
    StreamCall,
)
from schema import reader
from schema.canonical import Event, line
from schema.card import Card
from schema.errors import CorruptLog, GameError
from schema.fields import LONGEST_ID, MatchId
from schema.log_path import is_encodable
from schema.writer import check_new

ENDS = ("match_finished", "tournament_finished")

CALLS: dict[str, type] = {"argv": ArgvCall, "file": FileCall, "stream": StreamCall}
"""The observation of a question, by protocol."""

ARGUMENT, ARGUMENTS = 131_071, 2**20
"""Maximum bytes of an argument, as Linux passes it to a program (execve(2)), and of all of them."""

FIELDS = {
    "args": f"a tuple of texts without NUL, of at most {ARGUMENT:,} bytes each and {ARGUMENTS:,} "
    "together,",
    "legal": "a tuple of texts",
    "line": "a text without a line end",
}
"""The fields of a question that are no ordinary text, and what they are."""

_MATCH_ID: TypeAdapter[str] = TypeAdapter(MatchId)


class EventValidator:
    """Validate the questions and events of one log. Raises GameError at the first invalid one.

    Without a ``path`` there is no log yet, and only a question can be validated.
    """

    def __init__(self, card: Card, path: Path | None = None) -> None:
        self._card = card
        self._path = path
        self._log: reader.Log | None = None
        self._seq = 0
        """The ``seq`` of the next event."""
        self._over = False
        self._ids: set[str] = set()
        self._asked = 0
        self._legal: tuple[str, ...] = ()
        """The last legal answers to a joint question, which are valid."""
        self._left: list[tuple[Ask, Reply]] = []
        """Those of the ``_asked`` questions that have no recorded reply yet, with their replies."""
        self._by_seat: dict[int, Reply] = {}
        """The replies to a joint question that are not recorded yet."""
        self._choices: tuple[str, list[int]] | None = None
        """The choices that the next event must hold, after the name of their field."""
        self._due: tuple[str, ...] = ()
        """After a joint question: the types of which the next event must have one."""
        self._unplayed: deque[tuple[Match, Result]] = deque()
        """The matches of the schedule that no event has recorded, with their results."""
        self._disqualified: set[int] = set()
        """The entrants that an event has disqualified."""

    def validated(self, rules: MatchRules, seats: int) -> MatchRules:
        """Run the rules of a match: validate each question, and that its replies are recorded."""
        replies: Any = None
        while True:
            try:
                question = next_question(rules, replies)
            except StopIteration:
                return
            self.question(question, seats)
            replies = yield question
            self._receive(question, replies)

    def question(self, question: Any, seats: int | None = None) -> None:
        """Validate a question of a match of so many ``seats``, None for any number."""
        if self._left:
            raise self._wrong(self._unrecorded())
        self._check_due("another question")
        self._check_joint()
        protocol = self._card.protocol
        if isinstance(question, JointAsk) and protocol == "class":
            self._joint_question(question, seats)
        elif (
            protocol != "class"
            and isinstance(question, list)
            and all(isinstance(ask, Ask) for ask in question)
        ):
            self._questions(question, seats)
        else:
            expected = "a JointAsk" if protocol == "class" else "a list of Ask"
            raise self._wrong(f"expected {expected} ({protocol}), found {question!r:.80}")

    def _questions(self, question: list[Ask], seats: int | None) -> None:
        call = CALLS[self._card.protocol]
        for ask in question:
            if seats is not None and ask.seat not in range(seats):
                problem = f"expected a seat below {seats} in the question '{ask.name}'"
                raise self._wrong(f"{problem}, found {ask.seat!r:.80}")
            if not isinstance(ask.observation, call):
                problem = f"expected {call.__name__}(…) in the question '{ask.name}'"
                raise self._wrong(f"{problem}, found {ask.observation!r:.80}")
            for field, value in {**ask.observation._asdict(), "legal": ask.legal}.items():
                if not _is_valid(field, value):
                    expected = f"expected {FIELDS.get(field, 'text')} as '{field}'"
                    problem = f"{expected} of the question '{ask.name}'"
                    raise self._wrong(f"{problem}, found {value!r:.80}")

    def _joint_question(self, question: JointAsk, seats: int | None) -> None:
        legal, call = question.legal, question.observation
        if legal is not self._legal:  # rules pass one tuple in all rounds
            if not (type(legal) is tuple and all(map(_is_integer_text, legal))):
                problem = (
                    f"expected a tuple of integers as texts, the legal answers to '{question.name}'"
                )
                raise self._wrong(f"{problem}, found {legal!r:.80}")
            self._legal = legal
        if not (isinstance(call, ClassCall) and _are_choices(call.choices, seats)):
            problem = f"expected ClassCall(choices) in '{question.name}', with None or a list of "
            problem += "integers" if seats is None else f"{seats} integers"
            raise self._wrong(f"{problem}, found {call!r:.80}")
        if question.legal and question.name not in self._card.current.carriers:
            problem = f"its card names no event that holds the choices of '{question.name}'"
            raise self._wrong(f"{problem} (carriers)")

    def _receive(self, question: list[Ask] | JointAsk, replies: Any) -> None:
        """Keep the replies to a question, which the next events must record."""
        if not isinstance(question, JointAsk):
            self._asked, self._left = len(question), [*zip(question, replies, strict=True)]
        elif isinstance(replies, Mapping):
            self._due, self._by_seat = ANSWERS, dict(replies)
        elif replies is not None:
            carrier = self._card.current.carriers[question.name]
            self._due, self._choices = (carrier.event,), (carrier.field, [*replies])

    def event(self, event: Event, clause: object) -> None:
        """Validate an event against its model, the first event of its log, and the replies.

        ``clause``, which the log does not hold, must be text.
        """
        assert self._path is not None
        if self._over:
            raise self._wrong(f"they went on after their end, with {event!r:.200}")
        if not isinstance(clause, str):
            raise self._wrong(
                f"expected the clause of {event!r:.200} as text, found {clause!r:.80}"
            )
        try:
            if self._log is None:
                self._log = reader.read_start(line(0, event), self._path)
            else:
                check_new(self._log, self._seq, event)
        except CorruptLog as error:
            raise self._wrong(f"{error.found}. The event: {event!r:.400}") from error
        self._check_replies(event)
        self._over = event["type"] in ENDS
        self._seq += 1

    def _check_replies(self, event: Mapping[str, Any]) -> None:
        """Check that an event records the replies that are due."""
        self._check_due(event["type"])
        if self._choices is not None:
            field, choices = self._choices
            if (found := event.get(field)) != choices:
                problem = f"expected the choices of the bots in '{field}', {choices!r:.80}"
                raise self._wrong(f"{problem}, found {found!r:.80}")
            self._choices = None
        if event["type"] == "match_played":
            self._check_result(event)
        elif event["type"] in ENDS:
            self._check_schedule()
            self._check_table(event.get("standings", ()))
        elif event["type"] == "disqualified":
            self._disqualified.add(event["entrant"])
        if event["type"] in ANSWERS:
            self._check_answer(event)
            return
        if event["type"] not in ENDS:
            self._check_joint()
        self._by_seat = {}
        if event["type"] in ENDS and self._left and len(self._left) == self._asked:
            raise self._wrong(self._unrecorded())

    def _check_due(self, type: str) -> None:
        """Check the type of the first event after a joint question."""
        if self._due and type not in self._due:
            expected = f"expected the event {' or '.join(self._due)} after a joint question"
            raise self._wrong(f"{expected}, found {type}")
        self._due = ()

    def _check_joint(self) -> None:
        """Check that events have recorded all replies to a joint question, as the rules go on."""
        if self._by_seat:
            seat = min(self._by_seat)
            raise self._wrong(f"they do not record the answer of seat {seat} to a joint question")

    def _check_answer(self, event: Mapping[str, Any]) -> None:
        """Check that an answer or a fault is the next reply, as the bot gave it."""
        seat, name = event["seat"], event["ask"]
        answer = f"that of seat {seat} to '{name}'"
        if self._left:
            ask, reply = self._left.pop(0)
            if (seat, name) != (ask.seat, ask.name):
                expected = f"expected the answer of seat {ask.seat} to '{ask.name}'"
                raise self._wrong(f"{expected}, found {answer}")
        elif seat in self._by_seat:
            reply = self._by_seat.pop(seat)
        else:
            raise self._wrong(f"expected no further answer, found {answer}")
        protocol = self._card.protocol
        given = reply_fields(reply, protocol)
        recorded = reply_fields(read_reply(event, protocol), protocol)
        if recorded != given:
            problem = f"expected the answer of seat {seat} to '{name}' as given, {given!r:.200}"
            raise self._wrong(f"{problem}, found {recorded!r:.200}")

    def _unrecorded(self) -> str:
        ask, _ = self._left[0]
        return f"they do not record the answer of seat {ask.seat} to '{ask.name}'"

    def results(self, played: Played) -> None:
        """Keep the results of a schedule, which the next events must record in its order."""
        self._unplayed.extend(played)

    def end(self) -> None:
        """Validate the end of a tournament: a final table, unless too few bots are left."""
        self._check_schedule()
        if not self._over and not self._disqualified:
            raise self._wrong("they ended without a final table; expected a call of table.finish")

    def _check_result(self, event: Mapping[str, Any]) -> None:
        """Check that an event records the next match of the schedule, as it was played."""
        if not self._unplayed:
            raise self._wrong(f"expected no further match, found match '{event['match']}'")
        match, result = self._unplayed.popleft()
        if event["match"] != match.id:
            raise self._wrong(f"expected match '{match.id}', found match '{event['match']}'")
        given = (match.dice, match.seats, result)
        recorded = (event.get("dice"), tuple(event["seats"]), read_result(event))
        if recorded != given:
            raise self._wrong(
                f"expected match '{match.id}' as played, {given!r:.200}, found {recorded!r:.200}"
            )

    def _check_schedule(self) -> None:
        """Check that events have recorded all matches of the schedule."""
        if self._unplayed:
            raise self._wrong(f"they do not record match '{self._unplayed[0][0].id}'")

    def _check_table(self, standings: Sequence[Mapping[str, Any]]) -> None:
        """Check that a final table has each entrant once, by rank; it is empty if too few are left.

        It may leave out those that are disqualified. The scores need not be in its order: a
        knock-out ranks by other things.
        """
        if not standings:
            return
        assert self._log is not None
        ranks = [standing["rank"] for standing in standings]
        if ranks[0] != 1 or ranks != sorted(ranks):
            raise self._wrong(f"expected a final table by rank, from 1, found {ranks!r:.80}")
        listed = sorted(standing["entrant"] for standing in standings)
        entrants = {*range(len(self._log.start["entrants"]))} - self._disqualified
        if not entrants <= {*listed} or len({*listed}) < len(listed):
            problem = f"expected each entrant once in the final table, {sorted(entrants)!r:.80}"
            raise self._wrong(f"{problem}, found {listed!r:.80}")

    def matches(
        self,
        schedule: Schedule,
        entrants: int,
        plays: Callable[[int, int], bool] = lambda entrant, other: True,
    ) -> Iterator[Match]:
        """Yield the matches of a schedule. Raises GameError for a wrong or repeated id or seat.

        Also raises it for the dice of a match that is not earlier in the schedule, and for
        entrants that do not play each other in this stage of a contest.
        """
        self._check_schedule()
        if not isinstance(schedule, Schedule) or not isinstance(schedule.matches, Iterable):
            raise self._wrong(f"expected a Schedule of matches, found {schedule!r:.80}")
        for match in schedule.matches:
            seats = match.seats if isinstance(match, Match) else None
            if not isinstance(seats, tuple) or {*map(type, seats)} != {int}:
                expected = "expected a Match with a tuple of numbers as seats"
                raise self._wrong(f"{expected}, found {match!r:.80}")
            try:
                _MATCH_ID.validate_python(match.id)
            except ValidationError:
                problem = f"match '{match.id}': expected an id {{attempt}}-{{number}} as '1-000042'"
                raise self._wrong(problem) from None
            if len(match.id) > LONGEST_ID:
                expected = f"expected an id of up to {LONGEST_ID} characters"
                raise self._wrong(f"match '{match.id:.20}…': {expected}")
            if match.id in self._ids:
                raise self._wrong(f"match '{match.id}' is in the schedule twice")
            if match.dice is not None and match.dice not in self._ids:
                problem = f"match '{match.id}': expected the dice of an earlier match"
                raise self._wrong(f"{problem}, found those of '{match.dice}'")
            self._ids.add(match.id)
            if len({*match.seats} & {*range(entrants)}) < len(match.seats):
                problem = (
                    f"match '{match.id}': expected different numbers below {entrants} as seats"
                )
                raise self._wrong(f"{problem}, found {list(match.seats)}")
            if len(match.seats) == 2 and not plays(*match.seats):
                problem = f"match '{match.id}': expected entrants for which table.plays is true"
                raise self._wrong(f"{problem}, found {list(match.seats)}")
            yield match

    def _wrong(self, problem: str) -> GameError:
        where = f"{self._path}:{self._seq + 1}: " if self._path else ""
        return GameError(
            f"{where}the rules {self._card.rules} of the package '{self._card.package}' are "
            f"broken: {problem}."
        )


def _is_valid(field: str, value: Any) -> bool:
    """Return whether a field of a question has a value that a bot can be given."""
    if field not in FIELDS:
        return _is_text(value)
    if field == "line":
        return _is_text(value) and "\n" not in value
    if not isinstance(value, tuple | list) or not all(map(_is_text, value)):
        return False
    sizes = [len(text.encode()) for text in value]
    return field == "legal" or not (
        any("\0" in text for text in value)
        or max(sizes, default=0) > ARGUMENT
        or sum(sizes) > ARGUMENTS
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str) and is_encodable(value)


def _is_integer_text(value: object) -> bool:
    try:
        return isinstance(value, str) and str(int(value)) == value
    except ValueError:
        return False


def _are_choices(choices: Any, seats: int | None) -> bool:
    """Return whether bots can receive these choices, one for each of so many seats."""
    if choices is None:
        return True
    integers = isinstance(choices, list | tuple) and all(type(choice) is int for choice in choices)
    return integers and seats in (None, len(choices))
