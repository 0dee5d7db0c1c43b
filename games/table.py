"""What rules talk through: a table to emit events at, asks to yield, and answers to get back.

The rules of a game are one generator over a :class:`Table`. It yields lists of :class:`Ask` (those
of one list are asked at the same time), gets back one :class:`Answer` or :class:`Fault` each, and
emits what happened; or it yields a :class:`JointAsk`, one question to all seats at once. A
tournament is the same with a :class:`Schedule` and :class:`Result`. Nothing else goes in or out: no
clock, no files, no ``random``, no globals.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from schema import contract
from schema.bot_output import to_fields
from schema.canonical import Event
from schema.dice import Dice
from schema.errors import GameError, KothError
from schema.events import Standing

A = TypeVar("A")
B = TypeVar("B")
S = TypeVar("S")


class FileCall(NamedTuple):
    """A question in the *file* protocol: the history file's text, and the arguments after it."""

    history: str
    args: tuple[str, ...]


class ArgvCall(NamedTuple):
    """A question in the *argv* protocol: the arguments."""

    args: tuple[str, ...]


class ClassCall(NamedTuple):
    """A question in the *class* protocol: what everybody chose last, by seat; None at first."""

    choices: Sequence[int] | None


@dataclass(frozen=True, slots=True)
class Ask:
    """One question to one seat: ``name`` goes into the log, ``legal`` lists the legal answers."""

    seat: int
    name: str
    observation: FileCall | ArgvCall
    legal: tuple[str, ...]


class Part(NamedTuple):
    """One seat's part of a joint ask: ``name`` goes into the log."""

    seat: int
    name: str


class JointAsk(NamedTuple):
    """One question to all seats at once.

    Rules may yield the same one again, with what it tells brought up to date: it holds until it is
    answered, and whoever looks at it later keeps a :meth:`copy`.

    Its reply is what each seat chose, an integer by seat (None where ``legal`` is empty: nothing is
    asked, only told); or, where a bot failed or answered what is no integer, a dict with the
    :class:`Answer` or :class:`Fault` of every seat that there is one of. A game's card names the
    event that carries the choices.
    """

    name: str
    observation: ClassCall
    legal: tuple[str, ...]

    def copy(self) -> JointAsk:
        """The question as it is now."""
        told = self.observation.choices
        return self._replace(observation=ClassCall(None if told is None else [*told]))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot wrote, by channel, byte for byte; the rules judge it."""

    raw: Mapping[str, bytes]

    def text(self, channel: str) -> str | None:
        """What was written to ``channel``, or None when it is not UTF-8."""
        try:
            return self.raw.get(channel, b"").decode()
        except UnicodeDecodeError:
            return None


@dataclass(frozen=True, slots=True)
class Fault:
    """The bot failed before the rules could judge: how, and what it wrote.

    ``found`` says what lay where the history file should be, when that was not a plain file;
    ``during`` in which step of a joint ask it failed, when that has several.
    """

    kind: str
    raw: Mapping[str, bytes] = field(default_factory=dict)
    found: str | None = None
    during: str | None = None


Reply = Answer | Fault
JointReplies = Sequence[int] | Mapping[int, Reply] | None
"""What a driver sends for a joint ask."""
Replies = list[Reply] | JointReplies
"""What a driver sends for a list of asks (one reply each), or for a joint ask."""


def replies_by_seat(replies: JointReplies) -> dict[int, Reply]:
    """What came back for a joint ask, by seat: choices as the answers that they stand for."""
    if isinstance(replies, Mapping):
        return dict(replies)
    return {
        seat: Answer({"output": str(choice).encode()}) for seat, choice in enumerate(replies or ())
    }


@dataclass(frozen=True, slots=True)
class Match:
    """One match of a tournament: its id, and the entrants' numbers by seat."""

    id: str
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Schedule:
    """Matches to be played, in order; they may be drawn as they are needed.

    With ``until_fault`` the first that holds a fault is the last: what comes after it is not kept.
    """

    matches: Iterable[Match]
    until_fault: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. ``faults`` are (seat, kind); ``seal`` is the hash in its log's seal."""

    reason: str
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    faults: tuple[tuple[int, str], ...]
    seal: str


MatchRules = Generator[list[Ask] | JointAsk, Any, None]
Played = list[tuple[Match, Result]]
TournamentRules = Generator[Schedule, Played, None]


class StopRules(Exception):
    """Raised by a driver where rules emit something, to leave them: no fault of theirs."""


def drive_rules(rules: Generator[A, B, None], answer: Callable[[A], B]) -> None:
    """Drive rules to their end: put what they ask to ``answer``, and send them what it gives.

    Referee and replay do just this, for matches and tournaments; only ``answer`` differs. Raises
    GameError when the rules fail, and what ``answer`` raises.
    """
    asked: A | None = None
    try:
        asked = next(rules)
        while True:
            asked = rules.send(answer(asked))
    except StopIteration:
        pass
    except (KothError, StopRules):
        raise
    except Exception as error:
        if told := _fault_of(rules, asked, error):
            raise GameError(f"{told}. The game's package must mend its rules.") from error
        raise


def _fault_of(rules: Generator[Any, Any, None], asked: object, error: Exception) -> str:
    """What rules did wrong, if that is why ``error`` was raised."""
    if place := contract.raised_in(rules, error):
        return f"{place}: {type(error).__name__}: {error}"
    if isinstance(asked, JointAsk | Schedule) or (
        isinstance(asked, list) and all(isinstance(ask, Ask) for ask in asked)
    ):
        return ""
    expected = "expected a list of Ask, a JointAsk or a Schedule"
    return f"{getattr(rules, '__qualname__', rules)}: {expected}, but it yielded {asked!r:.80}"


class State(Protocol):
    """The state of a game, for display."""

    def snapshot(self) -> dict[str, object]:
        """The state as plain JSON values."""
        ...


class Table(Generic[S]):
    """What rules may touch.

    ``players`` are names by seat (in a tournament, by entrant), ``settings`` the game's, ``dice``
    the only source of chance. Each event goes to ``record`` with the clause that it rests on.
    ``state`` is what a replay shows of an event, as it is when the event is emitted.
    """

    state: State | None = None
    emit: Callable[[Event, str], None]
    """Say what has just happened, and under which clause: change the state first.

    Neither the event nor what is in it may be changed afterwards.
    """

    def __init__(
        self,
        players: Sequence[str],
        settings: S,
        dice: Dice,
        record: Callable[[Event, str], None],
    ) -> None:
        self.players = tuple(players)
        self.settings = settings
        self.dice = dice
        self.emit = record


class MatchTable(Table[S]):
    """Where a match is played: asks are answered here, and its end is announced."""

    def accept(self, ask: Ask | Part, answer: Answer, clause: str) -> None:
        """Record a legal answer."""
        event = {"type": "answered", "seat": ask.seat, "ask": ask.name, **to_fields(answer.raw)}
        self.emit(event, clause)

    def reject(self, ask: Ask | Part, reply: Reply, clause: str, penalty: str) -> None:
        """Record a fault, or an answer that the rules do not accept, and what it costs."""
        fault = reply if isinstance(reply, Fault) else Fault("illegal", reply.raw)
        event: dict[str, object] = {
            "type": "fault",
            "seat": ask.seat,
            "kind": fault.kind,
            "clause": clause,
            "penalty": penalty,
            "ask": ask.name,
        }
        if fault.found is not None:
            event["found"] = fault.found
        self.emit(event | to_fields(fault.raw), clause)

    def finish(
        self, reason: str, scores: Sequence[int], winners: Sequence[int], clause: str
    ) -> None:
        """Record the result, by seat; nothing may follow."""
        event = {
            "type": "match_finished",
            "reason": reason,
            "scores": list(scores),
            "winners": list(winners),
        }
        self.emit(event, clause)


class TournamentTable(Table[S]):
    """Where a tournament is held: matches are reported here, and the final table.

    ``planned`` is how many matches the rules mean to ask for, for the display of progress.
    """

    planned: int = 0

    def played(self, match: Match, result: Result, clause: str) -> None:
        """Record one match of the schedule."""
        event = {
            "type": "match_played",
            "match": match.id,
            "seats": list(match.seats),
            "reason": result.reason,
            "scores": list(result.scores),
            "winners": list(result.winners),
            "faults": [{"seat": seat, "kind": kind} for seat, kind in result.faults],
            "seal": result.seal,
        }
        self.emit(event, clause)

    def disqualified(self, match: Match, seat: int, kind: str, clause: str) -> None:
        """Record that the entrant at ``seat`` is out, for a fault of this kind in this match."""
        event = {
            "type": "disqualified",
            "entrant": match.seats[seat],
            "match": match.id,
            "kind": kind,
        }
        self.emit(event, clause)

    def voided(self, attempt: int, matches: int, reason: str, clause: str) -> None:
        """Record that the matches of an attempt count for nothing, and why."""
        event = {"type": "voided", "attempt": attempt, "matches": matches, "reason": reason}
        self.emit(event, clause)

    def finish(self, standings: Sequence[Standing], clause: str) -> None:
        """Record the final table, best first; nothing may follow."""
        self.emit({"type": "tournament_finished", "standings": list(standings)}, clause)
