"""The decisions of a match: each question to a seat, with the recorded reply."""

from __future__ import annotations

from dataclasses import dataclass

from games.table import Ask, JointAsk, Replies, Reply
from replay.driver import Question, ReplayDriver, replies_by_part
from schema.canonical import Event
from schema.reader import Log


@dataclass(frozen=True)
class Decision:
    """One question to a seat, with the recorded reply."""

    seq: int | None
    """The event that holds the reply; None if there is none."""
    question: Ask | JointAsk
    reply: Reply | None
    """None if the rules expect no answer, or if none is recorded because another bot failed."""

    @property
    def put(self) -> Question:
        """The question as the rules yield it."""
        return self.question if isinstance(self.question, JointAsk) else [self.question]


def decisions(log: Log) -> list[list[Decision]]:
    """Return the decisions of each seat, in order.

    ``log`` comes from :func:`replay.reask.read_verified`.
    """
    driver = _Decisions(log)
    driver.drive_rules()
    return driver.by_seat


class _Decisions(ReplayDriver):
    """Runs the rules of a log, and keeps each question with its reply."""

    def __init__(self, log: Log) -> None:
        self.by_seat: list[list[Decision]] = [[] for _ in log.start["players"]]
        super().__init__(log, log.seal["seed"])

    def receive(self, event: Event, clause: str) -> None:
        self.next_seq += 1

    def answer(self, question: Question) -> Replies:
        replies = super().answer(question)
        by_part = replies_by_part(question, replies)
        parts = zip(by_part, self.answer_seqs(question, replies), strict=True)
        held = {part.seat: (seq, by_part[part]) for part, seq in parts}
        if isinstance(question, JointAsk):
            kept = question.copy()
            for seat, decisions in enumerate(self.by_seat):
                decisions.append(Decision(*_placed(kept, held.get(seat))))
        else:
            for ask in question:
                self.by_seat[ask.seat].append(Decision(*_placed(ask, held[ask.seat])))
        return replies


def _placed(
    question: Ask | JointAsk, held: tuple[int, Reply] | None
) -> tuple[int | None, Ask | JointAsk, Reply | None]:
    seq, reply = held or (None, None)
    return seq, question, reply
