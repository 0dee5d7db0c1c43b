"""A log as a timeline: each event with its question, answer, dice, clause and states.

One run of the rules computes all of it. An imported log, or one without a seal, has no seed: its
events are shown as recorded, without states and dice. The same holds for the events of a diverging
log from its first difference on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, takewhile
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple, overload

from games.narration import Narrator
from games.recorded import ANSWERS
from games.table import Ask, JointAsk, Match
from replay.evidence import Note, Notes, notes, notes_on
from replay.log_verdict import LogVerdict
from replay.partial_log import read_partial
from replay.rerun import Step, check_has_rules, rerun
from replay.verify import verify
from schema import rulebook
from schema.canonical import Event, same
from schema.dice import Draw
from schema.log_path import LogPath
from schema.reader import Log

if TYPE_CHECKING:
    from games.text_board import TextBoard

Path = tuple[str | int, ...]
"""The path to a value in a state: keys of objects and indexes of lists."""

FAULT_EVENTS = ("fault", "disqualified", "voided")
"""The types of events that record a fault or its consequence."""


@dataclass(frozen=True)
class Explanation:
    """One event with everything that led to it."""

    log: Log
    step: Step
    clause_text: str
    ask: Ask | JointAsk | None
    """The last question to the event's seat, or to any seat if the event has none."""
    answer: Step | None
    """The event that holds the answer to it."""
    notes: Sequence[Note]
    """The referee's notes on that answer, of several seats if it is of all; no replay can check
    them."""
    before: dict[str, object] | None
    after: dict[str, object] | None
    sentence: str
    """The event in plain words (:mod:`games.narration`)."""

    @cached_property
    def draws(self) -> Sequence[tuple[Draw, str]]:
        """The dice cast for this event, each with the command that recomputes it."""
        return [(draw, draw.command(self.log.seal["seed"])) for draw in self.step.draws]

    @cached_property
    def dice(self) -> Sequence[Die]:
        """The same dice with fewer commands: one for all dice of a bulk draw."""
        return [_die(draws, self.log.seal["seed"]) for draws in _bulk_draws(self.step.draws)]

    @cached_property
    def answers_beside(self) -> Sequence[int]:
        """The answers that were recorded before ``answer``, to questions of the same list.

        They led to the event, too, if it is about no seat; otherwise there are none. Answers are
        recorded in the order of the questions.
        """
        answer = self.answer
        if answer is None or not isinstance(answer.pending, list) or "seat" in self.event:
            return ()
        earlier = sum(1 for _ in takewhile(lambda ask: ask is not self.ask, answer.pending))
        before = range(answer.seq - 1, -1, -1)
        seqs = (seq for seq in before if self.log.events[seq]["type"] in ANSWERS)
        return [*islice(seqs, earlier)][::-1]

    @property
    def evidence(self) -> Note | None:
        """The first of the notes, if there is one."""
        return next(iter(self.notes), None)

    @property
    def event(self) -> Event:
        """The explained event."""
        return self.step.event

    @property
    def is_fault(self) -> bool:
        """Whether the event is a fault, reports one, or follows from one."""
        return is_fault(self.event)


class Die(NamedTuple):
    """One die, or all dice of a bulk draw, with the command that recomputes them."""

    label: str
    outcome: str
    command: str


class Course(Iterable[Explanation]):
    """The events of ``log`` in order, each explained while the rules run; none is kept.

    ``verdict`` is the verdict on the whole log, or None if the log was not verified.
    """

    def __init__(self, log: Log, verdict: LogVerdict | None = None) -> None:
        self.log = log
        self.verdict = verdict
        self.replayed = 0
        """Number of events that the rules have recomputed; the others are as recorded."""

    def __iter__(self) -> Iterator[Explanation]:
        return self.explain(self.run())

    def run(self) -> Iterator[Step]:
        """Yield the events with their states, as far as the rules can recompute them."""
        self.replayed = 0
        if not self.log.imported and self.log.sealed:
            for step in rerun(self.log, lambda seq: True, trace=True):
                self.replayed += 1
                yield step
        yield from _recorded_steps(self.log, self.replayed)

    def explain(
        self, steps: Iterable[Step], selected: Callable[[int], bool] = lambda seq: True
    ) -> Iterator[Explanation]:
        """Explain those of the events ``steps``, from the first on, whose ``seq`` is selected."""
        before = None
        for step, answer in _with_answers(self.log, steps):
            if selected(step.seq):
                yield self._explanation(step, answer, before)
            before = step.state

    @cached_property
    def clauses(self) -> Mapping[str, str]:
        """The text of each clause of the rulebook."""
        return rulebook.clauses(self.log.card)

    @cached_property
    def narrate(self) -> Narrator:
        """Tells an event of the log in a sentence."""
        return Narrator(self.log.card, self.log.start)

    @cached_property
    def evidence(self) -> Notes:
        """The referee's notes beside the log; they are the referee's word."""
        return notes(self.log.path)

    def _explanation(
        self, step: Step, answer: Step | None, before: dict[str, object] | None
    ) -> Explanation:
        return Explanation(
            log=self.log,
            step=step,
            clause_text=rulebook.cited(self.clauses, step.clause),
            ask=None if answer is None else _question_of(answer),
            answer=answer,
            notes=() if answer is None else notes_on(self.evidence, self.log.events, answer.seq),
            before=before,
            after=step.state,
            sentence=self.narrate(step.event),
        )


class Timeline(Course, Sequence[Explanation]):
    """The events of ``log``, kept as ``steps``: ``timeline[seq]`` explains event ``seq``."""

    viewer = ""
    """Whose view this is, in words; empty if it shows everything."""

    def __init__(
        self, log: Log, steps: Sequence[Step], verdict: LogVerdict | None, replayed: int
    ) -> None:
        super().__init__(log, verdict)
        self.steps = steps
        self.replayed = replayed
        self._answers = [answer for _, answer in _with_answers(log, steps)]

    def __len__(self) -> int:
        return len(self.steps)

    @overload
    def __getitem__(self, seq: int) -> Explanation: ...

    @overload
    def __getitem__(self, seq: slice) -> Sequence[Explanation]: ...

    def __getitem__(self, seq: int | slice) -> Explanation | Sequence[Explanation]:
        seqs = range(len(self.steps))[seq]
        return [*map(self._at, seqs)] if isinstance(seqs, range) else self._at(seqs)

    def __iter__(self) -> Iterator[Explanation]:
        return map(self._at, range(len(self.steps)))

    def location(self, seq: int) -> str:
        """Return the place of an event in the log, in words."""
        return f"event {seq}, line {seq + 1}"

    @cached_property
    def text_board(self) -> TextBoard:
        """Draws a state of the match as lines of text."""
        from games.text_board import TextBoard

        return TextBoard(self.log.card, self.log.start)

    def _at(self, seq: int) -> Explanation:
        before = self.steps[seq - 1].state if seq else None
        return self._explanation(self.steps[seq], self._answers[seq], before)


def course(path: LogPath, verdict: LogVerdict | None = None) -> Course:
    """Return the course of the log at ``path``, with its verdict, or with the one given.

    Raises LogError for a file that is not a log or cannot be read here, and OSError.
    """
    verdict, log = verdict or verify(path), read_partial(path)
    check_has_rules(log)
    return Course(log, verdict)


def read(path: LogPath, verdict: LogVerdict | None = None) -> Timeline:
    """Return the timeline of the log at ``path``; arguments and errors are those of `course`.

    States of successive events share the values that did not change.
    """
    events = course(path, verdict)
    steps = [*events.run()]
    return Timeline(events.log, steps, events.verdict, events.replayed)


def as_recorded(log: Log) -> Timeline:
    """Return the timeline of a log that is not verified, such as one that is being written."""
    return Timeline(log, [*_recorded_steps(log, 0)], None, 0)


def is_fault(event: Event) -> bool:
    """Return whether an event is a fault, reports one, or follows from one."""
    return event["type"] in FAULT_EVENTS or bool(event.get("faults"))


def changes(before: object, after: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Yield the paths of the smallest values that differ in two states, with the new values.

    An object with other keys than before, or a list of another length, counts as one value.
    """
    if before is after or (before == after and same(before, after)):
        return
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        for key, value in after.items():
            yield from changes(before[key], value, (*path, key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, value in enumerate(after):
            yield from changes(before[index], value, (*path, index))
    else:
        yield path, after


def _bulk_draws(draws: Sequence[Draw]) -> Iterator[list[Draw]]:
    """Yield the dice in groups: the digests ``label#0``, ``label#1``, … of a bulk draw are one."""
    group: list[Draw] = []
    for draw in draws:
        label, mark, number = draw.label.rpartition("#")
        if group and not (mark and number == str(len(group)) and group[0].label == f"{label}#0"):
            yield group
            group = []
        group.append(draw)
    if group:
        yield group


def _die(draws: Sequence[Draw], seed: str) -> Die:
    """Return dice with one command; for a bulk draw it prints one digest per four words."""
    first, last = draws[0], len(draws) - 1
    if not last:
        return Die(first.label, first.outcome, first.command(seed))
    label = first.label.removesuffix("0")
    digest = f"printf '%s' {quote(f'{seed}:{label}')}\"$n\" | sha256sum"
    command = f"for n in $(seq 0 {last}); do {digest}; done"
    return Die(f"{label}0 … {label}{last}", f"{len(draws)} digests of four words", command)


def _recorded_steps(log: Log, first: int) -> Iterator[Step]:
    """Yield the events from ``first`` on as recorded, without states and dice."""
    for seq, event in enumerate(islice(log.events, first, None), first):
        yield Step(seq, event, str(event.get("clause", "")))


def _with_answers(log: Log, steps: Iterable[Step]) -> Iterator[tuple[Step, Step | None]]:
    """Yield each event with the last answer of its seat; if it has none, of any seat.

    An answer is its own last answer.
    """
    types = answer_types(log)
    joint: Step | None = None
    last: dict[object, Step] = {}
    """The answers since the last joint one, by seat; under None, the last of any seat."""
    for step in steps:
        seat = step.event.get("seat")
        if step.event["type"] in types:
            if seat is None:
                joint = step
                last.clear()
            else:
                last[None] = last[seat] = step
        yield step, last.get(seat, joint)


def answer_types(log: Log) -> set[str]:
    """Return the types of events that hold answers of one seat, or of all seats."""
    return {*ANSWERS, *(carrier.event for carrier in log.version.carriers.values())}


def _question_of(answer: Step) -> Ask | JointAsk | None:
    """Return the question that the event ``answer`` replies to; None if it is not known."""
    pending, event = answer.pending, answer.event
    if isinstance(pending, Match):
        return None
    if isinstance(pending, JointAsk):
        name = str(event.get("ask", pending.name))
        if name == pending.name:
            return pending
        return pending._replace(name=name, legal=())  # a step of it, such as `update`
    subject = (event.get("seat"), event.get("ask"))
    return next((ask for ask in pending if (ask.seat, ask.name) == subject), None)
