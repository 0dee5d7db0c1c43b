"""Explains rulings: clause, question, answer, dice, and the state before and after."""

from __future__ import annotations

from collections.abc import Sequence

from replay.state import last, steps
from replay.timeline import Course, Explanation, answer_types, is_fault
from schema.reader import Log


def explain(log: Log, seq: int) -> Explanation:
    """Explain event ``seq`` of ``log``. Raises what :func:`replay.state.steps` raises."""
    return explain_all(log, [seq])[0]


def explain_all(log: Log, seqs: Sequence[int]) -> Sequence[Explanation]:
    """Explain the events ``seqs`` of ``log`` in one run of the rules; raises the same errors."""
    explained = Course(log).explain(steps(log, *seqs), {*seqs}.__contains__)
    by_seq = {explanation.step.seq: explanation for explanation in explained}
    return [by_seq[seq] for seq in seqs]


def faults(log: Log) -> list[int]:
    """Return the events that are faults; in a tournament's log, those that report one."""
    return [seq for seq, event in enumerate(log.events) if is_fault(event)]


def last_decision(log: Log) -> int:
    """Return the last event that is an answer, or else the last one that the rules emitted."""
    types = answer_types(log)
    answers = (seq for seq in range(last(log), -1, -1) if log.events[seq]["type"] in types)
    return next(answers, last(log))
