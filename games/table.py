"""The interface between rules and their driver: questions, answers, and a table for events.

The rules of a match are a generator function that takes a :class:`MatchTable`. It yields questions
and receives the replies:

- a list of :class:`Ask`, asked at the same time: a list with an :class:`Answer` or a
  :class:`Fault` for each;
- a :class:`JointAsk`, one question to all seats: the choice of each seat.

It records what happened with the methods of the table. The rules of a tournament take a
:class:`TournamentTable`; they yield a :class:`Schedule` and receive a :class:`Result` for each
match. Rules use no clock, no files, no ``random`` and no global state.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, ParamSpec, Protocol, TypeVar

from schema.bot_output import to_fields
from schema.canonical import Event
from schema.choices import legal_integers
from schema.dice import Dice
from schema.events import Standing

A = TypeVar("A")
P = ParamSpec("P")
S = TypeVar("S")

WHITE_SPACE = " \t\n\r\v\f"
"""The white space around an answer that the built-in games ignore: that of ASCII."""


class FileCall(NamedTuple):
    """A question in the *file* protocol: the text of the history file, and further arguments."""

    history: str
    args: tuple[str, ...]


class ArgvCall(NamedTuple):
    """A question in the *argv* protocol: the arguments of the bot's command."""

    args: tuple[str, ...]


class StreamCall(NamedTuple):
    """A question in the *stream* protocol: the line that the bot reads, without a line end."""

    line: str


class ClassCall(NamedTuple):
    """A question in the *class* protocol: the last choices by seat, or None before the first."""

    choices: Sequence[int] | None


class Ask(NamedTuple):
    """One question to one seat.

    The log records ``name``. ``legal`` lists the legal answers, literally or in words; the rules
    decide whether an answer is legal.
    """

    seat: int
    name: str
    observation: FileCall | ArgvCall | StreamCall
    legal: tuple[str, ...]

    @property
    def part(self) -> Part:
        """The seat and the name of the question."""
        return Part(self.seat, self.name)

    @property
    def args(self) -> tuple[str, ...]:
        """The arguments of the bot's command; in the *stream* protocol it gets none."""
        return () if isinstance(self.observation, StreamCall) else self.observation.args


class Part(NamedTuple):
    """One seat's part of a joint question; the log records ``name``."""

    seat: int
    name: str


class JointAsk(NamedTuple):
    """One question to all seats at once.

    The reply is one of:

    - a list of integers, the legal choice of each seat;
    - None, if ``legal`` is empty: the observation is announced, and nothing is asked;
    - a dict of :class:`Answer` and :class:`Fault` by seat, if a bot failed or its answer is not
      legal. A replay has no entry for a seat whose reply is not in the log.

    The game's card names the event that records the choices (``carriers``). Rules may change the
    observation and yield the same object again; a driver that keeps it takes a :meth:`copy`.
    """

    name: str
    observation: ClassCall
    legal: tuple[str, ...]

    def copy(self) -> JointAsk:
        """Return a question that later changes of the observation do not reach."""
        choices = self.observation.choices
        return self._replace(observation=ClassCall(None if choices is None else [*choices]))


@dataclass(frozen=True, slots=True)
class Answer:
    """The bytes that a bot wrote, by channel; the rules decide whether they are legal."""

    raw: Mapping[str, bytes]
    texts: Mapping[str, str] | None = field(default=None, compare=False, repr=False)
    """The same as text, if that is known already."""

    def text(self, channel: str) -> str | None:
        """Return the text written to ``channel``, or None if it is not UTF-8."""
        if self.texts is not None:
            return self.texts.get(channel, "")
        try:
            return self.raw.get(channel, b"").decode()
        except UnicodeDecodeError:
            return None

    def fields(self) -> Mapping[str, object]:
        """Return the fields of the event that records the answer."""
        return to_fields(self.raw) if self.texts is None else self.texts


@dataclass(frozen=True, slots=True)
class Fault:
    """A failure of a bot that the referee detected: its kind, and the bytes written by channel.

    ``found`` names what is in place of the history file, if that is not a regular file.
    ``during`` is the step of a joint question in which the bot failed: ``construct``, ``update``,
    or, if it chose, the name of the question.
    """

    kind: str
    raw: Mapping[str, bytes] = field(default_factory=dict)
    found: str | None = None
    during: str | None = None


Reply = Answer | Fault
JointReplies = Sequence[int] | Mapping[int, Reply] | None
"""The reply to a :class:`JointAsk`."""
Replies = list[Reply] | JointReplies
"""The reply to a list of :class:`Ask`, or to a :class:`JointAsk`."""


def replies_by_seat(replies: JointReplies) -> dict[int, Reply]:
    """Return the replies to a joint question by seat; a choice becomes an answer in digits."""
    if isinstance(replies, Mapping):
        return dict(replies)
    return {
        seat: Answer({"output": str(choice).encode()}) for seat, choice in enumerate(replies or ())
    }


def reply_with_choices(question: JointAsk, choices: list[int], seats: int) -> JointReplies:
    """Return the reply to a joint question of so many ``seats``: ``choices``, if all are legal.

    Otherwise return them as answers by seat.
    """
    if len(choices) == seats and legal_integers(question.legal).issuperset(choices):
        return choices
    return replies_by_seat(choices)


def joint_replies(question: JointAsk, replies: Mapping[int, Reply], seats: int) -> JointReplies:
    """Return replies by seat in the form of a reply to a joint question of so many ``seats``."""
    outputs = [
        reply.raw.get("output", b"").decode(errors="replace")
        for reply in replies.values()
        if isinstance(reply, Answer)
    ]
    if question.legal and len(outputs) == seats and all(map(question.legal.__contains__, outputs)):
        return [int(output) for _, output in sorted(zip(replies, outputs, strict=True))]
    return dict(replies) if question.legal or replies else None


@dataclass(frozen=True, slots=True)
class Match:
    """One match of a tournament: its id, and the numbers of the entrants by seat.

    ``dice`` is the id of the earlier match whose seed it shares; without it, the seed is its own.
    """

    id: str
    seats: tuple[int, ...]
    dice: str | None = None


@dataclass(frozen=True, slots=True)
class Schedule:
    """Matches to play, in order; ``matches`` may be a generator.

    With ``until_fault`` the schedule ends with the first match that has a fault.
    """

    matches: Iterable[Match]
    until_fault: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a match: ``scores`` by seat, the seats in ``winners``.

    ``faults`` holds pairs (seat, kind). ``seal`` is the hash in the seal of the match's log.
    """

    reason: str
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    faults: tuple[tuple[int, str], ...]
    seal: str


MatchRules = Generator[list[Ask] | JointAsk, Any, None]
Played = list[tuple[Match, Result]]
TournamentRules = Generator[Schedule, Played, None]


class State(Protocol):
    """The state of a game, for display."""

    def snapshot(self) -> dict[str, object]:
        """Return the state as plain JSON values."""
        ...


class Table(Generic[S]):
    """Everything that rules may use.

    ``players`` holds names by seat, or by entrant in a tournament. ``dice`` is the only source of
    chance.
    """

    state: State | None = None
    """The state of the game; a replay shows it as it was when an event was emitted."""

    emit: Callable[[Event, str], None]
    """Record an event, and the clause that it rests on. Change the state before.

    Neither the event nor an object in it may be changed afterwards.
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
    """The table of a match, with methods for the events that all games share."""

    def show(self, observe: Callable[P, A], *args: P.args, **kwargs: P.kwargs) -> A:
        """Return ``observe(*args, **kwargs)``, for the observation in a question.

        A verification, which asks no bot, does not call it. So nothing else may depend on it.
        """
        return observe(*args, **kwargs)

    def accept(self, ask: Ask | Part, answer: Answer, clause: str) -> None:
        """Record a legal answer to ``ask``."""
        event = {"type": "answered", "seat": ask.seat, "ask": ask.name, **answer.fields()}
        self.emit(event, clause)

    def reject(self, ask: Ask | Part, reply: Reply, clause: str, penalty: str) -> None:
        """Record a fault, or an illegal answer, and its penalty in the words of the rulebook."""
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
        """Record the result, with scores by seat; no event may follow.

        A match whose reason is ``void`` does not count.
        """
        event = {
            "type": "match_finished",
            "reason": reason,
            "scores": list(scores),
            "winners": list(winners),
        }
        self.emit(event, clause)


class TournamentTable(Table[S]):
    """The table of a tournament, with methods for the events that all games share."""

    planned: int = 0
    """Number of matches that the rules plan to schedule, for the display of progress."""

    def __init__(
        self,
        players: Sequence[str],
        settings: S,
        dice: Dice,
        record: Callable[[Event, str], None],
        pairings: Iterable[Sequence[int]] | None = None,
    ) -> None:
        super().__init__(players, settings, dice, record)
        self.pairings = None if pairings is None else dict.fromkeys(map(tuple, pairings))
        """The pairs of entrants that play each other, ascending; None if all do."""

    def plays(self, entrant: int, other: int) -> bool:
        """Return whether two entrants play each other: in a stage of a contest, some do not."""
        pair = (min(entrant, other), max(entrant, other))
        return self.pairings is None or pair in self.pairings

    def played(self, match: Match, result: Result, clause: str) -> None:
        """Record one match of the schedule."""
        shared = {"dice": match.dice} if match.dice else {}
        event = {
            "type": "match_played",
            "match": match.id,
            **shared,
            "seats": list(match.seats),
            "reason": result.reason,
            "scores": list(result.scores),
            "winners": list(result.winners),
            "faults": [{"seat": seat, "kind": kind} for seat, kind in result.faults],
            "seal": result.seal,
        }
        self.emit(event, clause)

    def disqualified(self, match: Match, seat: int, kind: str, clause: str) -> None:
        """Record that a fault in ``match`` disqualifies the entrant at ``seat``."""
        event = {
            "type": "disqualified",
            "entrant": match.seats[seat],
            "match": match.id,
            "kind": kind,
        }
        self.emit(event, clause)

    def voided(self, attempt: int, matches: int, reason: str, clause: str) -> None:
        """Record that the matches of an attempt do not count, and the reason."""
        event = {"type": "voided", "attempt": attempt, "matches": matches, "reason": reason}
        self.emit(event, clause)

    def finish(self, standings: Sequence[Standing], clause: str) -> None:
        """Record the final table, best first; no event may follow."""
        self.emit({"type": "tournament_finished", "standings": list(standings)}, clause)
