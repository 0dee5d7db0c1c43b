"""What rules talk through: a table to emit events at, asks to yield, and answers to get back.

The rules of a game are one generator over a :class:`Table`. It yields lists of :class:`Ask` (those
of one list are asked at the same time), gets back one :class:`Answer` or :class:`Fault` each, and
emits what happened. A tournament is the same with :class:`Match` and :class:`Result`. Nothing else
goes in or out: no clock, no files, no ``random``, no globals.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, TypeVar

from schema.canonical import Event
from schema.dice import Dice
from schema.events import Standing
from schema.raw import to_fields

A = TypeVar("A")
B = TypeVar("B")
S = TypeVar("S")


class FileCall(NamedTuple):
    """A question in the *file* protocol: the history file's text, and the arguments after it."""

    history: str
    args: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """One question to one seat: ``name`` goes into the log, ``legal`` lists the legal answers."""

    seat: int
    name: str
    observation: FileCall
    legal: tuple[str, ...]


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

    ``found`` says what lay where the history file should be, when that was not a plain file.
    """

    kind: str
    raw: Mapping[str, bytes] = field(default_factory=dict)
    found: str | None = None


Reply = Answer | Fault


@dataclass(frozen=True, slots=True)
class Match:
    """One match of a tournament: its id, and the entrants' numbers by seat."""

    id: str
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. ``faults`` are (seat, kind); ``seal`` is the hash in its log's seal."""

    reason: str
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    faults: tuple[tuple[int, str], ...]
    seal: str


MatchRules = Generator[list[Ask], list[Reply], None]
TournamentRules = Generator[list[Match], list[Result], None]


def converse(
    rules: Generator[list[A], list[B], None], answer: Callable[[list[A]], list[B]]
) -> None:
    """Drive rules to their end: put what they ask to ``answer``, and send them what it gives.

    Referee and replay do just this, for matches and tournaments; only ``answer`` differs.
    """
    try:
        asked = next(rules)
        while True:
            asked = rules.send(answer(asked))
    except StopIteration:
        pass


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
        self._record = record

    def emit(self, event: Event, clause: str) -> None:
        """Say what has just happened: change the state first."""
        self._record(event, clause)


class MatchTable(Table[S]):
    """Where a match is played: asks are answered here, and its end is announced."""

    def accept(self, ask: Ask, answer: Answer, clause: str) -> None:
        """Record a legal answer."""
        event = {"type": "answered", "seat": ask.seat, "ask": ask.name, **to_fields(answer.raw)}
        self.emit(event, clause)

    def reject(self, ask: Ask, reply: Reply, clause: str, penalty: str) -> None:
        """Record a fault, or an answer that the rules do not accept, and what it costs."""
        event: dict[str, object] = {
            "type": "fault",
            "seat": ask.seat,
            "kind": reply.kind if isinstance(reply, Fault) else "illegal",
            "clause": clause,
            "penalty": penalty,
            "ask": ask.name,
        }
        if isinstance(reply, Fault) and reply.found is not None:
            event["found"] = reply.found
        self.emit(event | to_fields(reply.raw), clause)

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

    def finish(self, standings: Sequence[Standing], clause: str) -> None:
        """Record the final table, best first; nothing may follow."""
        self.emit({"type": "tournament_finished", "standings": list(standings)}, clause)
