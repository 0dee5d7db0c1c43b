"""Re-runs a log: the same rules as in the match, answered from the log instead of by bots.

Every event that the rules emit is compared with the one recorded in its place. The first that
differs ends the run: from there on nothing that follows means anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile
from typing import Any

from games.table import (
    Answer,
    Ask,
    Fault,
    JointAsk,
    Match,
    MatchTable,
    Played,
    Replies,
    Reply,
    Result,
    Schedule,
    State,
    Table,
    TournamentTable,
    converse,
)
from replay.errors import ReplayError
from schema.canonical import Event
from schema.dice import Dice, Draw
from schema.raw import SPOKEN, from_fields
from schema.reader import Log

ANSWERS = ("answered", "fault")
"""The events that hold one bot's reply."""

Asked = Sequence[Ask] | JointAsk | Match
"""What the rules wait for: answers, or the result of a match."""


@dataclass(frozen=True)
class Step:
    """One event as the replay recomputed it, with what led to it."""

    seq: int
    event: Event
    clause: str
    """The clause under which the rules emitted it; empty for the log's own first and last event."""
    asked: Asked = ()
    """What the rules had asked last."""
    draws: Sequence[Draw] = ()
    """The dice that were cast since the event before."""
    state: dict[str, object] | None = None
    """The state when it was emitted, where it was wanted."""


@dataclass(frozen=True)
class Divergence:
    """Where a log first differs from what the rules make of its seed and answers."""

    path: str
    line: int
    seq: int
    field: str
    """The path of the first field that differs, such as ``coins[1]``."""
    recorded: object
    recomputed: object
    clause: str
    event_recorded: Event
    event_recomputed: Event
    before: Sequence[Event]
    """The five events before it, with their ``seq``."""
    state: dict[str, object] | None


@dataclass
class Rerun:
    """What came of re-running a log."""

    steps: list[Step] = field(default_factory=list)
    divergence: Divergence | None = None


Wanted = Callable[[int], bool]


def nothing(seq: int) -> bool:
    """Wants no state: the fastest replay."""
    return False


def rerun(log: Log, wanted: Wanted = nothing, trace: bool = False) -> Rerun:
    """Re-run ``log`` from its seed and answers, up to its end or the first difference.

    ``wanted`` says for which ``seq`` the state is kept; ``trace`` keeps the dice. Raises
    ReplayError for an imported log, which has nothing to re-run.
    """
    if log.imported:
        raise ReplayError(f"{log.path}: an imported log has no seed and cannot be re-run.")
    return _Run(log, wanted, trace).run()


class _Diverged(Exception):
    """Leaves the rules at the first difference."""


class _OutOfAnswers(Exception):
    """The log holds fewer answers than the rules ask for."""


class _Run:
    """One replay in progress."""

    def __init__(self, log: Log, wanted: Wanted, trace: bool) -> None:
        self.log = log
        self.wanted = wanted
        self.result = Rerun()
        self.asked: Asked = ()
        self.draws: list[Draw] = []
        dice = Dice(log.seal["seed"], self.draws.append if trace else None)
        settings = log.settings()
        names = [p["name"] for p in log.start["players" if log.kind == "match" else "entrants"]]
        if log.kind == "match":
            self.table: Table[Any] = MatchTable(names, settings, dice, self.compare)
            self.rules = log.version.match_rules()(self.table)
        else:
            self.table = TournamentTable(names, settings, dice, self.compare)
            self.rules = log.version.tournament_rules()(self.table)

    def run(self) -> Rerun:
        self.step(self.log.start, "")
        try:
            converse(self.rules, self.answers if self.log.kind == "match" else self.results)
            self.finish()
        except _OutOfAnswers:
            self.diverge(_asking(self.asked), "")
        except _Diverged:
            pass
        return self.result

    def answers(self, asked: Sequence[Ask] | JointAsk) -> Replies:
        """What the log holds as answers to ``asked``."""
        self.asked = asked
        at = len(self.result.steps)
        if isinstance(asked, JointAsk):
            return self.joint_answers(asked, at)
        found = islice(_following(self.log.events, at, ANSWERS), len(asked))
        return [_reply(event, self.log.card.protocol) for event in found]

    def joint_answers(self, asked: JointAsk, at: int) -> Replies:
        """What the log holds as the reply of all seats: the choices that the next event carries.

        If that is another event, a bot failed, and answers and faults stand seat by seat.
        """
        event: Mapping[str, Any] = self.log.events[at]
        carrier = self.log.version.carriers.get(asked.name)
        if carrier is not None and event["type"] == carrier.event:
            choices: list[int] = event[carrier.field]
            return choices
        seats = range(len(self.table.players))
        following: Iterable[Mapping[str, Any]] = self.log.events[at : at + len(seats)]
        single = takewhile(lambda found: found["type"] in ANSWERS, following)
        protocol = self.log.card.protocol
        replies = {found["seat"]: _reply(found, protocol) for found in single}
        if (asked.legal and not replies) or not all(seat in seats for seat in replies):
            raise _OutOfAnswers
        return replies or None

    def results(self, schedule: Schedule) -> Played:
        """What the log holds as results of the matches of ``schedule``."""
        found: Played = []
        recorded = _following(self.log.events, len(self.result.steps), ("match_played",))
        for match in schedule.matches:
            self.asked = match
            result = _result(next(recorded))
            found.append((match, result))
            if schedule.until_fault and result.faults:
                break
        return found

    def compare(self, event: Event, clause: str) -> None:
        """Hold one event of the rules against the one recorded in its place."""
        if event != self.log.events[len(self.result.steps)]:
            self.diverge(event, clause)
            raise _Diverged
        self.step(event, clause)

    def step(self, event: Event, clause: str) -> None:
        seq = len(self.result.steps)
        state = self.state() if self.wanted(seq) else None
        draws = tuple(self.draws)
        self.draws.clear()
        self.result.steps.append(Step(seq, event, clause, self.asked, draws, state))

    def state(self) -> dict[str, object] | None:
        state: State | None = self.table.state
        return state.snapshot() if state is not None else None

    def finish(self) -> None:
        """The rules are done: only the seal may be left."""
        if len(self.result.steps) + 1 == len(self.log.events):
            self.step(self.log.seal, "")
        else:
            self.diverge({"type": self.log.seal["type"]}, "")

    def diverge(self, event: Event, clause: str) -> None:
        seq = len(self.result.steps)
        recorded = self.log.events[seq]
        where, was, now = first_difference(recorded, event)
        before = [{"seq": step.seq, **step.event} for step in self.result.steps[-5:]]
        self.result.divergence = Divergence(
            path=str(self.log.path),
            line=seq + 1,
            seq=seq,
            field=where,
            recorded=was,
            recomputed=now,
            clause=clause,
            event_recorded=recorded,
            event_recomputed=event,
            before=before,
            state=self.state(),
        )


def _reply(event: Mapping[str, Any], protocol: str) -> Reply:
    raw = from_fields(event)
    if event["type"] == "answered" or event["kind"] == "illegal":
        return Answer(dict.fromkeys(SPOKEN.get(protocol, ()), b"") | raw)
    return Fault(event["kind"], raw, event.get("found"), event["ask"])


def _result(event: Mapping[str, Any]) -> Result:
    return Result(
        reason=event["reason"],
        scores=tuple(event["scores"]),
        winners=tuple(event["winners"]),
        faults=tuple((fault["seat"], fault["kind"]) for fault in event["faults"]),
        seal=event["seal"],
    )


def _following(events: Sequence[Event], at: int, types: Sequence[str]) -> Iterator[Any]:
    """The events of some types from ``at`` on; running out of them ends the replay.

    What stands between them is passed over here, and compared when the rules come to its place.
    """
    for seq in range(at, len(events)):  # not islice, which would walk there from the first event
        if events[seq]["type"] in types:
            yield events[seq]
    raise _OutOfAnswers


def _asking(asked: Asked) -> Event:
    """What stands for the answer that is not there."""
    if isinstance(asked, Match):
        return {"type": "match_played", "match": asked.id, "seats": list(asked.seats)}
    if isinstance(asked, JointAsk):
        return {"type": "answered", "ask": asked.name}
    return {"type": "answered", "seat": asked[0].seat, "ask": asked[0].name}


def first_difference(recorded: object, recomputed: object, at: str = "") -> tuple[str, Any, Any]:
    """Where two events first differ: the field's path, and both values there.

    A field that only one of them has stands with None on the other side.
    """
    if isinstance(recorded, Mapping) and isinstance(recomputed, Mapping):
        for key in dict.fromkeys((*recorded, *recomputed)):
            if recorded.get(key) != recomputed.get(key):
                where = f"{at}.{key}" if at else key
                return first_difference(recorded.get(key), recomputed.get(key), where)
    if isinstance(recorded, list) and isinstance(recomputed, list):
        for place, (was, now) in enumerate(zip(recorded, recomputed, strict=False)):
            if was != now:
                return first_difference(was, now, f"{at}[{place}]")
    return at, recorded, recomputed
