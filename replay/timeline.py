"""A log as a timeline: each event with the question, the answer, the dice and the clause behind it.

All of it is made in one run of the rules. It goes as far as the rules do: an imported log or one
without a seal has no seed, so its events stand there as they were recorded, without states and
dice; a log that diverges has them up to there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from shlex import quote
from typing import Any, NamedTuple, overload

from games.recorded import ANSWERS
from games.table import Ask, JointAsk, Match
from replay.evidence import Notes, note, notes
from replay.rerun import Step, rerun
from replay.verify import Verdict, verify
from schema import reader, rulebook
from schema.canonical import Event
from schema.dice import Draw
from schema.log_path import LogPath
from schema.reader import IncompleteLog, Log

Path = tuple[str | int, ...]
"""The way to a value inside a state: keys of objects and places in lists."""

AT_FAULT = ("fault", "disqualified", "voided")
"""The events that say that a bot failed, or what came of it."""


@dataclass(frozen=True)
class Explanation:
    """Everything that led to one event."""

    log: Log
    step: Step
    clause_text: str
    ask: Ask | JointAsk | None
    """The last question to the seat that the event is about, or else to anybody, if any."""
    answer: Step | None
    """The event that holds the answer to it."""
    evidence: dict[str, Any] | None
    """What the referee noted of the answer, if its evidence lies beside the log; not checked."""
    before: dict[str, object] | None
    after: dict[str, object] | None

    @cached_property
    def draws(self) -> Sequence[tuple[Draw, str]]:
        """The dice cast for this event, each with the command that recomputes it."""
        return [(draw, draw.command(self.log.seal["seed"])) for draw in self.step.draws]

    @cached_property
    def dice(self) -> Sequence[Die]:
        """The same in the fewest commands: one for all dice that were cast in bulk."""
        return [_die(row, self.log.seal["seed"]) for row in _rows(self.step.draws)]

    @property
    def event(self) -> Event:
        """The event explained."""
        return self.step.event

    @property
    def is_fault(self) -> bool:
        """Whether it is a fault; in a tournament's log, also what says or follows from one."""
        return is_fault(self.event)


class Die(NamedTuple):
    """One die, or a row of them that was cast in bulk, with the command that recomputes it."""

    label: str
    outcome: str
    command: str


class Timeline(Sequence[Explanation]):
    """The first events of ``log``, one by one, as ``steps`` has them.

    ``timeline[seq]`` explains the event ``seq``. ``verdict`` is that on the whole log, where one
    was asked for, and ``replayed`` says how many of the events the rules came to; those after
    that are as the log has them.
    """

    def __init__(
        self,
        log: Log,
        steps: Sequence[Step],
        verdict: Verdict | None = None,
        replayed: int | None = None,
    ) -> None:
        self.log = log
        self.steps = steps
        self.verdict = verdict
        self.replayed = len(steps) if replayed is None else replayed
        self._answers = [*_answers(log, steps)]

    def __len__(self) -> int:
        return len(self.steps)

    @overload
    def __getitem__(self, seq: int) -> Explanation: ...

    @overload
    def __getitem__(self, seq: slice) -> Sequence[Explanation]: ...

    def __getitem__(self, seq: int | slice) -> Explanation | Sequence[Explanation]:
        places = range(len(self.steps))[seq]
        if isinstance(places, range):
            return [self._explained(place) for place in places]
        return self._explained(places)

    def __iter__(self) -> Iterator[Explanation]:
        return map(self._explained, range(len(self.steps)))

    @cached_property
    def clauses(self) -> Mapping[str, str]:
        """The rulebook, clause by clause."""
        return rulebook.clauses(self.log.card)

    @cached_property
    def evidence(self) -> Notes:
        """What the referee noted beside the log; it is the referee's word."""
        return notes(self.log.path)

    def answer(self, seq: int) -> Step | None:
        """The last answer of the seat that an event is about; of anybody, if it is about none."""
        found = self._answers[seq]
        return None if found is None else self.steps[found]

    def _explained(self, seq: int) -> Explanation:
        step, answer = self.steps[seq], self.answer(seq)
        return Explanation(
            log=self.log,
            step=step,
            clause_text=self.clauses.get(step.clause, ""),
            ask=None if answer is None else _ask(answer),
            answer=answer,
            evidence=None if answer is None else note(self.evidence, self._events, answer.seq),
            before=self.steps[seq - 1].state if seq else None,
            after=step.state,
        )

    @cached_property
    def _events(self) -> Sequence[Event]:
        return [step.event for step in self.steps]


def read(path: LogPath) -> Timeline:
    """The timeline of the log at ``path``, with the verdict on it.

    States of successive events share what did not change. Raises LogError for a file that is no
    log, or none that can be read here, and OSError.
    """
    verdict = verify(path)
    try:
        log = reader.read(path)
    except IncompleteLog as error:
        if error.log is None:
            raise
        return Timeline(error.log, _recorded(error.log, 0), verdict, 0)
    if log.imported:
        return Timeline(log, _recorded(log, 0), verdict, 0)
    steps = _Sharing()
    rerun(log, lambda seq: True, trace=True, steps=steps)
    return Timeline(log, [*steps, *_recorded(log, len(steps))], verdict, len(steps))


def is_fault(event: Event) -> bool:
    """Whether an event is a fault, says that there was one, or follows from one."""
    return event["type"] in AT_FAULT or bool(event.get("faults"))


def changes(before: object, after: object, at: Path = ()) -> Iterator[tuple[Path, object]]:
    """Where two states differ, as the smallest values that do, with their new values.

    An object with other keys than before, or a list of another length, is one value.
    """
    if before is after or (before == after and type(before) is type(after)):
        return
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        for key, value in after.items():
            yield from changes(before[key], value, (*at, key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, value in enumerate(after):
            yield from changes(before[place], value, (*at, place))
    else:
        yield at, after


def _rows(draws: Sequence[Draw]) -> Iterator[list[Draw]]:
    """The dice one by one, but the digests of a bulk draw together: ``label#0``, ``label#1``, …"""
    row: list[Draw] = []
    for draw in draws:
        label, mark, number = draw.label.rpartition("#")
        if row and not (mark and number == str(len(row)) and row[0].label == f"{label}#0"):
            yield row
            row = []
        row.append(draw)
    if row:
        yield row


def _die(row: Sequence[Draw], seed: str) -> Die:
    """A row of dice with one command; that of a bulk draw prints a digest for each four words."""
    first, last = row[0], len(row) - 1
    if not last:
        return Die(first.label, first.outcome, first.command(seed))
    label = first.label.removesuffix("0")
    digest = f"printf '%s' {quote(f'{seed}:{label}')}\"$n\" | sha256sum"
    command = f"for n in $(seq 0 {last}); do {digest}; done"
    return Die(f"{label}0 … {label}{last}", f"{len(row)} digests of four words", command)


class _Sharing(list[Step]):
    """Steps whose states share with the state before what is the same in both."""

    def append(self, step: Step) -> None:
        before = self[-1].state if self else None
        super().append(Step(**{**vars(step), "state": _shared(before, step.state)}))


def _shared(before: Any, after: Any) -> Any:
    """``after``, with all of ``before`` in it that is the same."""
    if before == after and type(before) is type(after):
        return before
    if isinstance(after, dict) and isinstance(before, dict):
        for key, value in after.items():
            after[key] = _shared(before.get(key), value)
    elif isinstance(after, list) and isinstance(before, list):
        after[: len(before)] = map(_shared, before, after)
    return after


def _recorded(log: Log, first: int) -> list[Step]:
    """The events from ``first`` on as the log has them, which no rules came to."""
    following = enumerate(log.events[first:], first)
    return [Step(seq, event, str(event.get("clause", ""))) for seq, event in following]


def _answers(log: Log, steps: Sequence[Step]) -> Iterator[int | None]:
    """For each event the ``seq`` of the answer that it follows from, or is."""
    answers = {*ANSWERS, *(carrier.event for carrier in log.version.carriers.values())}
    last: dict[object, int] = {}
    """By seat; the last answer of all seats, and of any, under None."""
    joint = -1
    for step in steps:
        seat = step.event.get("seat")
        if step.event["type"] in answers:
            last[None] = last[seat] = step.seq
            joint = step.seq if seat is None else joint
        found = max(last.get(seat, -1), joint)
        yield None if found < 0 else found


def _ask(answer: Step) -> Ask | JointAsk | None:
    """The question that an answer was given to."""
    asked = answer.asked
    if isinstance(asked, JointAsk | Match):
        return asked if isinstance(asked, JointAsk) else None
    return next((ask for ask in asked if ask.seat == answer.event["seat"]), None)
