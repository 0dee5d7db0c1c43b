"""Rulings explained: clause, question, answer, dice, and the state before and after."""

from __future__ import annotations

from collections.abc import Sequence

from games.recorded import ANSWERS
from replay.state import last, steps
from replay.timeline import Explanation, Timeline, is_fault
from schema.reader import Log


def explain(log: Log, seq: int) -> Explanation:
    """Explain event ``seq`` of ``log``. Raises what :func:`replay.state.steps` raises."""
    return explain_all(log, [seq])[0]


def explain_all(log: Log, seqs: Sequence[int]) -> Sequence[Explanation]:
    """Explain these events of ``log`` in one run of the rules; raises the same."""
    timeline = Timeline(log, steps(log, *seqs))
    return [timeline[seq] for seq in seqs]


def faults(log: Log) -> list[int]:
    """The events that are faults; in a tournament's log, those that tell of one."""
    return [seq for seq, event in enumerate(log.events) if is_fault(event)]


def last_decision(log: Log) -> int:
    """The last event that is an answer; without any, the last that the rules emitted."""
    answers = {*ANSWERS, *(carrier.event for carrier in log.version.carriers.values())}
    found = (seq for seq in range(last(log), -1, -1) if log.events[seq]["type"] in answers)
    return next(found, last(log))
