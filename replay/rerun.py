"""Re-runs a log: the same rules as in the match, answered from the log instead of by bots.

Every event that the rules emit is compared with the one recorded in its place. The first that
differs ends the run: from there on nothing that follows means anything.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any

from games.table import JointAsk, Match, State, StopRules
from replay.driver import Asked, OutOfAnswers, ReplayDriver
from replay.errors import ReplayError
from schema.canonical import Event
from schema.dice import Draw
from schema.log_path import path_text
from schema.reader import Log

SHOWN = 5
"""How many events before a divergence it shows."""


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

    steps: MutableSequence[Step]
    divergence: Divergence | None = None


Wanted = Callable[[int], bool]


def nothing(seq: int) -> bool:
    """Wants no state: the fastest replay."""
    return False


def rerun(
    log: Log,
    wanted: Wanted = nothing,
    trace: bool = False,
    kept: int | None = None,
    steps: MutableSequence[Step] | None = None,
) -> Rerun:
    """Re-run ``log`` from its seed and answers, up to its end or the first difference.

    ``wanted`` says for which ``seq`` the state is kept; ``trace`` keeps the dice; ``kept`` says how
    many of the last steps are kept, at least those that a divergence shows (None: all), and
    ``steps`` in what. Raises ReplayError for an imported log, which has nothing to re-run.
    """
    if log.imported:
        raise ReplayError(f"{log.path}: an imported log has no seed and cannot be re-run.")
    if steps is None:
        steps = [] if kept is None else deque[Step](maxlen=max(kept, SHOWN))
    return _Run(log, wanted, trace, Rerun(steps)).run()


class _Diverged(StopRules):
    """Leaves the rules at the first difference."""


class _Run(ReplayDriver):
    """One replay in progress."""

    def __init__(self, log: Log, wanted: Wanted, trace: bool, result: Rerun) -> None:
        self.wanted = wanted
        self.result = result
        self.draws: list[Draw] = []
        self.astray: tuple[int, Match] | None = None
        """The first place that has something else than the result of the match sought, and that."""
        super().__init__(log, log.seal["seed"], self.draws.append if trace else None)

    def run(self) -> Rerun:
        self.step(self.log.start, "")
        try:
            self.drive_rules()
            self.finish()
        except OutOfAnswers:
            if self.astray is not None:
                self.at, self.asked = self.astray
            self.diverge(_asking(self.asked), "")
        except _Diverged:
            pass
        return self.result

    def event(self, seq: int) -> Mapping[str, Any]:
        if seq >= len(self.log.events):
            raise OutOfAnswers
        found: Mapping[str, Any] = self.log.events[seq]
        if isinstance(self.asked, Match) and found != {**found, **_asking(self.asked)}:
            self.astray = self.astray or (seq, self.asked)
        return found

    def take(self, event: Event, clause: str) -> None:
        if event != self.log.events[self.at]:
            self.diverge(event, clause)
            raise _Diverged
        self.step(event, clause)

    def step(self, event: Event, clause: str) -> None:
        state = self.state() if self.wanted(self.at) else None
        draws = tuple(self.draws)
        self.draws.clear()
        self.result.steps.append(Step(self.at, event, clause, self.asked, draws, state))
        self.at += 1

    def state(self) -> dict[str, object] | None:
        state: State | None = self.table.state
        return state.snapshot() if state is not None else None

    def finish(self) -> None:
        """The rules are done: only the seal may be left."""
        if self.at + 1 == len(self.log.events):
            self.step(self.log.seal, "")
        else:
            self.diverge({"type": self.log.seal["type"]}, "")

    def diverge(self, event: Event, clause: str) -> None:
        recorded = self.log.events[self.at]
        where, was, now = first_difference(recorded, event)
        shown = range(max(0, self.at - SHOWN), self.at)
        before = [{"seq": seq, **self.log.events[seq]} for seq in shown]
        self.result.divergence = Divergence(
            path=path_text(self.log.path),
            line=self.at + 1,
            seq=self.at,
            field=where,
            recorded=was,
            recomputed=now,
            clause=clause,
            event_recorded=recorded,
            event_recomputed=event,
            before=before,
            state=self.state(),
        )


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
