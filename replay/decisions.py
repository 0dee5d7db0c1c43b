"""The decisions of a match: each question to a seat, with the recorded reply."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.table import Ask, JointAsk, Part, Replies, Reply
from replay.driver import Question, ReplayDriver, replies_by_part
from schema.reader import Log


@dataclass(frozen=True)
class Decision:
    """One question to a seat, with the recorded reply."""

    seat: int
    seq: int | None
    """The event that holds the reply; None if there is none."""
    question: Ask | JointAsk
    reply: Reply | None
    """None if the rules expect no answer, or if none is recorded because another bot failed."""


def decisions(log: Log) -> Iterator[Decision]:
    """Return the decisions of all seats, in order, made while the rules run; none is kept.

    ``log`` comes from :func:`replay.reask.read_verified`.
    """
    driver = _Decisions(log)
    return driver.drive_and_take(driver.taken)


def decisions_of(log: Log, seat: int) -> Iterator[Decision]:
    """Yield the decisions of ``seat`` as :func:`decisions` does."""
    return (decision for decision in decisions(log) if decision.seat == seat)


class _Decisions(ReplayDriver):
    """Runs the rules of a log, and collects each question with its reply."""

    def __init__(self, log: Log) -> None:
        self.taken: list[Decision] = []
        super().__init__(log, log.seal["seed"])

    def answer(self, question: Question) -> Replies:
        replies = super().answer(question)
        by_part = replies_by_part(question, replies)
        parts = zip(by_part, self.answer_seqs(question, replies), strict=True)
        held = {part: (seq, by_part[part]) for part, seq in parts}
        if isinstance(question, JointAsk):
            kept = question.copy()
            seats = range(len(self.table.players))
            self.taken += [_placed(seat, kept, held.get(Part(seat, kept.name))) for seat in seats]
        else:
            self.taken += [_placed(ask.seat, ask, held[ask.part]) for ask in question]
        return replies


def _placed(seat: int, question: Ask | JointAsk, held: tuple[int, Reply] | None) -> Decision:
    seq, reply = held or (None, None)
    return Decision(seat, seq, question, reply)
