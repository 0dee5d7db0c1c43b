"""Re-runs a log event by event: the rules of the match, answered from the log instead of by bots.

Each event that the rules emit is compared with the recorded event of the same ``seq``. The run ends
at the first difference, because no later event can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat, takewhile
from typing import Any

import orjson

from games.driving import StopRules
from games.narration import Narrator
from games.recorded import ANSWERS
from games.table import JointAsk, Match
from replay.driver import OutOfAnswers, Pending, ReplayDriver
from replay.errors import ReplayError
from schema.canonical import Event, same
from schema.dice import Draw
from schema.errors import GameError, UsageError
from schema.log_path import path_text
from schema.reader import Log
from schema.scan import short_repr

EVENTS_BEFORE = 5
"""Number of events that a divergence shows before the one that differs."""

AROUND = 20
"""Characters before and after the place where long values differ."""


@dataclass(frozen=True)
class Step:
    """One event as the replay recomputed it, with its causes."""

    seq: int
    event: Event
    clause: str
    """The clause under which the rules emitted it; empty for the log's own first and last event."""
    pending: Pending = ()
    """The last request of the rules before it."""
    draws: Sequence[Draw] = ()
    """The dice cast since the event before."""
    state: dict[str, object] | None = None
    """The state when it was emitted, if it was kept; its parts may be those of earlier states."""


@dataclass(frozen=True)
class Divergence:
    """The first difference between a log and the events that its rules recompute."""

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
    """Up to five events before it, with their ``seq``."""
    sentences: Mapping[str, str]
    """The event ``recorded``, ``recomputed``, and each one before it (by ``seq``), in words."""
    state: dict[str, object] | None
    """The state at the difference; None if the rules keep none, or one that is no JSON."""

    @property
    def reason(self) -> str:
        """The difference in one line, as a verdict has it."""
        recorded, recomputed = _shortened(self.recorded, self.recomputed)
        clause = f" ({self.clause})" if self.clause else ""
        return (
            f"event {self.seq}, field {self.field}: "
            f"recorded {recorded}, recomputed {recomputed}{clause}"
        )


KeepState = Callable[[int], bool]
"""Says for a ``seq`` whether its step keeps the state."""


def rerun(
    log: Log,
    keep_state: KeepState = lambda seq: False,
    trace: bool = False,
    until: int | None = None,
) -> Rerun:
    """Re-run ``log`` up to its end, to the first difference, or to the event ``until``.

    The rules run while the caller takes the steps. ``trace`` keeps the dice. After the event
    ``until`` the rules stop, and nothing further is compared. Raises ReplayError for an imported
    log, which has no seed.
    """
    if log.imported:
        raise ReplayError(f"{log.path}: an imported log has no seed and cannot be re-run.")
    check_has_rules(log)
    return Rerun(log, keep_state, trace, until)


def check_has_rules(log: Log) -> None:
    """Raise UsageError for the log of a contest, which no rules write."""
    if log.kind == "contest":
        raise UsageError(
            f"{log.path}: expected the log of a match or a tournament, found that of a contest. "
            "Name a log of one of its stages."
        )


def first_divergence(log: Log) -> Divergence | None:
    """Return the first difference in all of ``log``, or None."""
    run = rerun(log)
    for _ in run:
        pass
    return run.divergence


class _Stop(StopRules):
    """Stops the rules at the first difference, or after the last event of interest."""


class Rerun(ReplayDriver, Iterable[Step]):
    """One run: yields its steps, once, and then has the difference that ended it, if any."""

    next_seq = 0
    divergence: Divergence | None = None

    def __init__(self, log: Log, keep_state: KeepState, trace: bool, until: int | None) -> None:
        self.keep_state = keep_state
        self.until = until
        self.draws: list[Draw] = []
        self.kept: dict[str, object] | None = None
        """The last state that was kept."""
        self.emitted: list[Step] = []
        """The steps since the last answer, which the caller has not taken."""
        self.other_match: tuple[int, Match] | None = None
        """The first ``seq`` at which another match is recorded than the pending one."""
        super().__init__(log, log.seal["seed"], self.draws.append if trace else None)

    def __iter__(self) -> Iterator[Step]:
        try:
            self.add_step(self.log.start, "")
            yield from self.drive_and_take(self.emitted)
            self.finish()
        except OutOfAnswers:
            if self.other_match is not None:
                self.next_seq, self.pending = self.other_match
            self.skip_answers()
            self.diverge(_missing_reply(self.pending), "")
        except _Stop:
            pass
        yield from self.emitted

    def recorded_event(self, seq: int) -> Mapping[str, Any]:
        """Return the event ``seq`` of the log, and note if it is of another match."""
        event = super().recorded_event(seq)
        if isinstance(self.pending, Match) and event != {**event, **_missing_reply(self.pending)}:
            self.other_match = self.other_match or (seq, self.pending)
        return event

    def skip_answers(self) -> None:
        """Of several questions of one time, skip those whose answers follow: another is missing."""
        events = self.log.events
        while isinstance(self.pending, list) and len(self.pending) > 1:
            event, part = events[self.next_seq], self.pending[0].part
            if event["type"] not in ANSWERS or (event["seat"], event["ask"]) != part:
                break
            self.pending = self.pending[1:]
            self.next_seq += 1

    def receive(self, event: Event, clause: str) -> None:
        """Compare an event with the recorded one, and keep it as a step."""
        if not self.is_recorded(event):
            self.diverge(event, clause)
            raise _Stop
        self.add_step(event, clause)

    def add_step(self, event: Event, clause: str) -> None:
        """Keep ``event`` as a step. Raises _Stop after the last event of interest."""
        seq, draws = self.next_seq, tuple(self.draws)
        self.draws.clear()
        state = None
        if self.keep_state(seq):
            # Rules may emit thousands of events before an answer: equal parts are kept once.
            state = self.kept = _shared(self.kept, self.snapshot(), self.equal)
        self.emitted.append(Step(seq, event, clause, self.pending, draws, state))
        self.next_seq += 1
        if seq == self.until:
            raise _Stop

    def finish(self) -> None:
        """Compare the end: after the last event of the rules only the seal may follow."""
        if self.next_seq + 1 == len(self.log.events):
            self.add_step(self.log.seal, "")
        else:
            self.diverge({"type": self.log.seal["type"]}, "")

    def diverge(self, event: Event, clause: str) -> None:
        """Describe how the recorded event differs from the recomputed ``event``."""
        seq, events = self.next_seq, self.log.events
        recorded_event, event = events[seq], as_json(event)
        field, recorded, recomputed = first_difference(recorded_event, event)
        before = range(max(0, seq - EVENTS_BEFORE), seq)
        narrate = Narrator(self.log.card, self.log.start)
        shown = {str(at): events[at] for at in before}
        shown |= {"recorded": recorded_event, "recomputed": event}
        try:
            state = self.snapshot()
        except GameError:  # the verdict matters more
            state = None
        self.divergence = Divergence(
            path=path_text(self.log.path),
            line=seq + 1,
            seq=seq,
            field=field,
            recorded=recorded,
            recomputed=recomputed,
            clause=clause,
            event_recorded=recorded_event,
            event_recomputed=event,
            before=[{"seq": at, **events[at]} for at in before],
            sentences={name: narrate(event) for name, event in shown.items()},
            state=state,
        )


def _missing_reply(pending: Pending) -> Event:
    """Return as much of the missing event as follows from the ``pending`` request."""
    if isinstance(pending, Match):
        return {"type": "match_played", "match": pending.id, "seats": list(pending.seats)}
    if isinstance(pending, JointAsk):
        return {"type": "answered", "ask": pending.name}
    return {"type": "answered", "seat": pending[0].seat, "ask": pending[0].name}


def as_json(value: Any) -> Any:
    """Return a recomputed value as JSON: what no log can hold is a string, as a larger integer."""
    if isinstance(value, Mapping):
        return {as_json(str(key)): as_json(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [*map(as_json, value)]
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return str(value)
    try:
        return orjson.loads(orjson.dumps(value))
    except TypeError:
        return repr(value)


def first_difference(recorded: object, recomputed: object, path: str = "") -> tuple[str, Any, Any]:
    """Return the path of the first field that differs in two events, and both values there.

    A field that only one event has is None in the other.
    """
    if isinstance(recorded, Mapping) and isinstance(recomputed, Mapping):
        for key in dict.fromkeys((*recorded, *recomputed)):
            left, right = recorded.get(key), recomputed.get(key)
            if not same(left, right):
                return first_difference(left, right, f"{path}.{key}" if path else key)
    if isinstance(recorded, list) and isinstance(recomputed, list):
        for index, (left, right) in enumerate(zip(recorded, recomputed, strict=False)):
            if not same(left, right):
                return first_difference(left, right, f"{path}[{index}]")
    return path, recorded, recomputed


def _shared(before: Any, after: Any, equal: Callable[[Any, Any], bool]) -> Any:
    """Return ``after``, with each part that is ``equal`` to ``before`` replaced by that part."""
    if type(before) is type(after) and equal(before, after):
        return before
    if isinstance(after, dict) and isinstance(before, dict):
        for key, value in after.items():
            after[key] = _shared(before.get(key), value, equal)
    elif isinstance(after, list) and isinstance(before, list):
        after[: len(before)] = map(_shared, before, after, repeat(equal))
    return after


def _shortened(*values: object) -> Sequence[str]:
    """Return values for a message: their beginnings, or if these are equal, where they differ."""
    beginnings = [*map(short_repr, values)]
    if len({*beginnings}) > 1:
        return beginnings
    texts = [*map(repr, values)]
    equal = sum(1 for _ in takewhile(lambda pair: len({*pair}) == 1, zip(*texts, strict=False)))
    start = max(0, equal - AROUND)
    parts = [text[start : start + 2 * AROUND] for text in texts]
    return [
        f"…{part}" if text.endswith(part) else f"…{part}…"
        for part, text in zip(parts, texts, strict=True)
    ]
