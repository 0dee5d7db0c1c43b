"""The seat's view: a match as one of its players could follow it.

It holds the questions put to one seat, its own answers and faults, and what is public: the players'
names, the settings, and the result. It is built from these parts alone. So two logs that differ
only in what the seat could not know have equal views.

- Events are numbered in the view: 0 is the start, 1, 2, … are the seat's questions, and the result
  comes last. The log's own numbers would tell how many events the seat did not see.
- The legal answers that the rules compute are left out. No protocol tells them to a bot, unless
  they are in the observation.
- A hash, a die or a seed is never part of it, nor is the evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from games.recorded import ANSWERS
from games.table import JointAsk, Replies
from replay.driver import OutOfAnswers, Question, ReplayDriver
from replay.errors import NoSuchEvent, ReplayError
from replay.evidence import Notes
from replay.log_verdict import LogVerdict
from replay.partial_log import read_partial
from replay.questions import seat_text
from replay.rerun import Step
from replay.timeline import Explanation, Timeline, is_fault
from schema import seal
from schema.canonical import Event
from schema.errors import NothingToDo, UsageError
from schema.log_path import LogPath, path_text
from schema.reader import Log

ANNOUNCEMENT = "announcement"
"""The type of an event of the view: an observation for the seat, with no answer asked for."""

PUBLIC = ("type", "game", "rules", "match", "settings", "source")
"""The fields of the first event that every player may know, besides the players' names."""

NO_QUESTIONS = "it records answers without their questions, which need the seed"

REASONS = {
    "verified": "the rules lead from the seed and the answers to these questions",
    "imported": f"the log was imported; {NO_QUESTIONS}",
    "incomplete": f"the log has no seal; {NO_QUESTIONS}",
}
"""The reason of each verdict that a view can have."""

Selected = Callable[[Step], bool]
"""Says for a numbered question whether the view keeps it."""


def every_question(question: Step) -> bool:
    """Keep every question."""
    return True


class SeatView(Timeline):
    """The view of ``seat`` as a timeline: the start, one event per question, and the result.

    Of the questions it may keep a selection, and the last one.
    """

    def __init__(self, log: Log, steps: Sequence[Step], verdict: LogVerdict, seat: int) -> None:
        """``log`` and ``steps`` hold the events of the view only."""
        super().__init__(log, steps, verdict, len(steps) if verdict.verdict == "verified" else 0)
        self.seat = seat
        self.viewer = f"as {seat_text(log, seat)} saw it"
        self.basis = verdict
        """The verdict, with its reason: whether the view follows from the seed."""
        self._answers = [step if "seat" in step.event else None for step in steps]
        last = max((step.seq for step in steps if "seat" in step.event), default=0)
        self.numbers = range(1, last + 1)
        """The numbers of all questions, from 1."""

    @property
    def questions(self) -> Iterator[Explanation]:
        """The questions that are kept."""
        return (self[at] for at, step in enumerate(self.steps) if "seat" in step.event)

    @property
    def faults(self) -> Sequence[int]:
        """The numbers of the questions that are kept and at which the seat failed."""
        return [step.seq for step in self._answers if step and is_fault(step.event)]

    @property
    def result(self) -> Event | None:
        """The event of the result; None if the match is not over."""
        last = self.log.events[-1]
        return last if last["type"] == "match_finished" else None

    @property
    def evidence(self) -> Notes:
        """No notes: the referee's evidence is not part of the view."""
        return {}

    def location(self, seq: int) -> str:
        """Return the place of an event; the number of a line would count hidden events."""
        return f"question {seq}" if seq in self.numbers else f"event {seq} of the view"

    def check_number(self, number: int) -> None:
        """Raise NoSuchEvent if there is no such question, and NothingToDo if there is none."""
        if not self.numbers:
            raise NothingToDo(f"{path_text(self.log.path)}: no question to seat {self.seat}.")
        if number not in self.numbers:
            raise NoSuchEvent(
                f"{path_text(self.log.path)}: expected a question to seat {self.seat} from 1 to "
                f"{len(self.numbers)}, found {number}."
            )


def read(path: LogPath, seat: int, selected: Selected = every_question) -> SeatView:
    """Return the view of ``seat`` on the log at ``path``, which may have no seal.

    Raises what :func:`seat_view` raises, LogError for a file that is not a log, and OSError.
    """
    return seat_view(read_partial(path), seat, selected)


def seat_view(log: Log, seat: int, selected: Selected = every_question) -> SeatView:
    """Return the view of ``seat`` on ``log`` with the ``selected`` questions and the last one.

    A log without a seed has answers without questions. Raises UsageError for a log that is not of a
    match, and for a seat that the match does not have. Raises ReplayError if the log does not
    follow from its seed and answers.
    """
    path = path_text(log.path)
    if log.kind != "match":
        found = f"found a {log.kind}'s"
        raise UsageError(f"{path}: --seat: expected the log of one match, {found}.")
    seats = len(log.start["players"])
    if not 0 <= seat < seats:
        raise UsageError(f"{path}: --seat: expected a seat from 0 to {seats - 1}, found {seat}.")
    if log.imported:
        verdict, steps = "imported", _recorded(log, seat)
    elif not log.sealed:
        verdict, steps = "incomplete", _recorded(log, seat)
    else:
        verdict, steps = "verified", _replayed(log, seat)
    players = [{"seat": player["seat"], "name": player["name"]} for player in log.start["players"]]
    start = {key: log.start[key] for key in PUBLIC if key in log.start} | {"players": players}
    kept = [Step(0, start, ""), *_selected_and_last(steps, selected)]
    results = (event for event in log.events if event["type"] == "match_finished")
    kept += [Step(number, event, "") for number, event in enumerate(results, kept[-1].seq + 1)]
    view = replace(log, events=[step.event for step in kept])
    return SeatView(view, kept, LogVerdict(path, verdict, REASONS[verdict]), seat)


def _selected_and_last(steps: Iterable[Step], selected: Selected) -> Sequence[Step]:
    """Return those of the ``steps`` that are selected, and the last one."""
    kept: list[Step] = []
    for step in steps:
        if kept and not selected(kept[-1]):
            kept.pop()
        kept.append(step)
    return kept


def _recorded(log: Log, seat: int) -> Iterator[Step]:
    """Yield the answers and faults of ``seat`` as recorded, without the questions."""
    answers = (_own(log, event, seat) for event in log.events)
    for number, own in enumerate(filter(None, answers), 1):
        yield _step(number, own)


def _replayed(log: Log, seat: int) -> Iterator[Step]:
    """Yield the questions to ``seat`` with its answers while the rules run. Raises ReplayError."""
    driver = _Questions(log, seat)
    try:
        yield from driver.drive_and_take(driver.steps)
    except OutOfAnswers:
        raise driver.differs() from None
    if driver.next_seq + 1 != len(log.events):
        raise driver.differs()


class _Questions(ReplayDriver):
    """Runs the rules of a log, compares its events, and keeps the questions to one seat."""

    def __init__(self, log: Log, seat: int) -> None:
        super().__init__(log, log.seal["seed"])
        self.seat = seat
        self.steps: list[Step] = []
        """The steps since the last answer, which the caller has not taken."""
        self.numbers = count(1)
        self.asked: Question = ()
        """The last question to the seat."""
        if seal.commitment(log.seal["seed"]) != log.start["seed_commitment"]:
            raise self.differs()

    def differs(self) -> ReplayError:
        """Return the error for a log that the rules do not lead to; it says nothing of the log."""
        return ReplayError(
            f"{path_text(self.log.path)}: the log does not follow from its seed and answers, so "
            "there is no seat's view. `koth verify` shows where it differs."
        )

    def answer(self, question: Question) -> Replies:
        replies = super().answer(question)
        if not isinstance(question, JointAsk):
            self.asked = [ask._replace(legal=()) for ask in question if ask.seat == self.seat]
            return replies
        self.asked = question.copy()._replace(legal=())
        if not question.legal and not replies:  # after a failure it may not have reached the seat
            event = {"type": ANNOUNCEMENT, "seat": self.seat, "ask": question.name}
            self.steps.append(_step(next(self.numbers), event, self.asked))
        return replies

    def receive(self, event: Event, clause: str) -> None:
        if not self.is_recorded(event):
            raise self.differs()
        self.next_seq += 1
        if (own := _own(self.log, event, self.seat)) is not None:
            self.steps.append(_step(next(self.numbers), own, self.asked))


def _own(log: Log, event: Mapping[str, Any], seat: int) -> Event | None:
    """Return the answer or fault of ``seat`` in an event of ``log``, or None."""
    if event["type"] in ANSWERS:
        return event if event["seat"] == seat else None
    for question, carrier in log.version.carriers.items():
        if event["type"] == carrier.event and seat < len(event.get(carrier.field, ())):
            choice = str(event[carrier.field][seat])
            return {"type": "answered", "seat": seat, "ask": question, "output": choice}
    return None


def _step(number: int, event: Event, asked: Question = ()) -> Step:
    """Return an event of the view, with the questions ``asked``, of which one has its name."""
    return Step(number, event, str(event.get("clause", "")), asked)
