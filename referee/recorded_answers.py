"""Recorded answers: resume a match of which an earlier run recorded a part.

The bots are asked every question again, from the first one, because they may keep state. A recorded
answer counts; a different answer now becomes evidence. After the last recorded answer, even within
one question, the answers of the live bots count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from games import recorded
from games.table import Answer, Fault, JointAsk, JointReplies, Part, Replies, Reply, replies_by_seat
from referee.protocols.base import Evidence
from schema.reader import Log

NOTHING = Answer({})


class RecordedAnswers:
    """The answers in ``log``, which replace those of live bots."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.failed_now: set[int] = set()
        """Seats of class bots that failed now in a step without a recorded fault."""
        self.ended: dict[int, Fault] = {}
        """By seat: the recorded fault after which a stream bot gives no more answers."""

    def replace(
        self, position: int, questions: Any, live: Any, notes: Sequence[Evidence]
    ) -> tuple[Replies, list[Evidence]]:
        """Return the replies that count, with the evidence to write.

        ``position`` is the number of the next event; ``live`` are the replies of the bots now, with
        their ``notes``.
        """
        if isinstance(questions, JointAsk):
            return self._replace_joint(position, questions, live, notes)
        replies = recorded.read_replies(self.log, questions, self._events(position))
        parts = [ask.part for ask in questions]
        kept = self._evidence(zip(parts, replies, live, strict=False), notes)
        if self.log.card.protocol == "stream":
            for ask, reply in zip(questions, replies, strict=False):
                if isinstance(reply, Fault):
                    self.ended.setdefault(ask.seat, Fault(reply.kind))
            live = [self.ended.get(ask.seat, now) for ask, now in zip(questions, live, strict=True)]
        return replies + live[len(replies) :], kept

    def _replace_joint(
        self, position: int, question: JointAsk, live: JointReplies, notes: Sequence[Evidence]
    ) -> tuple[Replies, list[Evidence]]:
        live_by_seat = replies_by_seat(live)
        if position >= len(self.log.events):
            failed = {seat: failing(live_by_seat[seat], "update") for seat in self.failed_now}
            return {**live_by_seat, **failed} if failed else live, list(notes)
        self.failed_now |= {seat for seat, now in live_by_seat.items() if isinstance(now, Fault)}
        choices = recorded.read_choices(self.log, question, next(self._events(position)))
        replies: Replies
        if choices is not None:
            replies, by_seat = choices, replies_by_seat(choices)
        elif by_seat := recorded.read_replies_by_seat(self.log, self._events(position)):
            goes_on = position + len(by_seat) < len(self.log.events)  # all replies are recorded
            replies = dict(by_seat) if goes_on else completed(by_seat, question, live_by_seat)
        else:
            replies = None
            by_seat = dict.fromkeys(range(len(self.log.start["players"])), NOTHING)
        compared = (
            (Part(seat, question.name), reply, live_by_seat.get(seat, reply))
            for seat, reply in by_seat.items()
        )
        return replies, self._evidence(compared, notes)

    def _events(self, position: int) -> recorded.Events:
        """Yield the recorded events from ``position`` on."""
        return (self.log.events[seq] for seq in range(position, len(self.log.events)))

    def _evidence(
        self, compared: Iterable[tuple[Part, Reply, Reply]], notes: Sequence[Evidence]
    ) -> list[Evidence]:
        """Return the notes on live replies that count, and on those that differ from the record.

        ``compared`` are parts of a question, each with its recorded and its live reply.
        """
        by_part = {(note["seat"], note["ask"]): note for note in notes}
        differing: list[Evidence] = []
        protocol = self.log.card.protocol
        for part, before, now in compared:
            note = by_part.pop(part, {"seat": part.seat, "ask": part.name})
            again = recorded.reply_fields(now, protocol)
            if recorded.reply_fields(before, protocol) != again:
                differing.append(note | {"again": again})
        return [*by_part.values(), *differing]


def completed(
    failures: Mapping[int, Reply], question: JointAsk, live: Mapping[int, Reply]
) -> dict[int, Reply]:
    """Return the recorded replies to a question with a fault, and live ones after the last of them.

    Faults are recorded for one step only (SU-9). An earlier live fault counts in that step.
    """
    steps = [reply.during for reply in failures.values() if isinstance(reply, Fault)]
    step = steps[0] if steps else question.name
    following = {seat: reply for seat, reply in live.items() if seat > max(failures)}
    if step == question.name:
        following = {seat: failing(reply, step) for seat, reply in following.items()}
    return {**failures, **following}


def failing(reply: Reply, step: str) -> Reply:
    """Return ``reply``; a fault counts in ``step``."""
    return replace(reply, during=step) if isinstance(reply, Fault) else reply
