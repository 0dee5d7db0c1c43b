"""Answers that stand: a match of which an earlier run has recorded a part.

Every question is put to the bots again, from the first, for they may remember things. What is
recorded stands, whatever they say now; what they say otherwise is kept as evidence. Where the
record ends, even within the answers to one question, it is they who go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from games import recorded
from games.table import Answer, Fault, JointAsk, JointReplies, Part, Replies, Reply, replies_by_seat
from referee.protocols.base import Evidence
from schema.bot_output import ANSWER_CHANNELS, to_fields
from schema.reader import Log

NOTHING = Answer({})


class Standing:
    """What ``log`` holds as answers, to be preferred to those of live bots."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.lost: set[int] = set()
        """The seats of class bots that fail now in what they have come through on record."""

    def __call__(
        self, at: int, asked: Any, live: Any, notes: Sequence[Evidence]
    ) -> tuple[Replies, list[Evidence]]:
        """The replies to ``asked``, for which the log goes on with event ``at``.

        ``live`` is what the bots say now, with ``notes``; those that are to be kept come back.
        """
        events: list[Any] = list(self.log.events[at:])
        if isinstance(asked, JointAsk):
            return self._joint(events, asked, live, notes)
        stand = recorded.read_replies(self.log, asked, iter(events))
        parts = [Part(ask.seat, ask.name) for ask in asked]
        kept = self._kept(zip(parts, stand, live, strict=False), notes)
        return stand + live[len(stand) :], kept

    def _joint(
        self, events: list[Any], asked: JointAsk, live: JointReplies, notes: Sequence[Evidence]
    ) -> tuple[Replies, list[Evidence]]:
        said = replies_by_seat(live)
        if not events:
            gone = {seat: failing(said[seat], "update") for seat in self.lost}
            return {**said, **gone} if gone else live, list(notes)
        self.lost |= {seat for seat, reply in said.items() if isinstance(reply, Fault)}
        seats = range(len(self.log.start["players"]))
        choices = recorded.read_choices(self.log, asked, events[0])
        if choices is not None:
            stand: Replies = choices
            parts = [
                (Part(seat, asked.name), reply) for seat, reply in replies_by_seat(choices).items()
            ]
        elif failures := recorded.read_replies_by_seat(self.log, iter(events)):
            stand = completed(failures, asked, said)
            parts = [(Part(seat, asked.name), reply) for seat, reply in failures.items()]
        else:
            stand = None
            parts = [(Part(seat, asked.name), NOTHING) for seat in seats]
        replies = ((part, was, said.get(part.seat, was)) for part, was in parts)
        return stand, self._kept(replies, notes)

    def _kept(
        self, standing: Iterable[tuple[Part, Reply, Reply]], notes: Sequence[Evidence]
    ) -> list[Evidence]:
        """The notes on replies that count, and on those that differ from the ones that stand.

        ``standing`` are the parts of a question, each with the reply that stands, and the live one.
        """
        by_part = {(note["seat"], note["ask"]): note for note in notes}
        differing: list[Evidence] = []
        for part, was, now in standing:
            note = by_part.pop(part, {"seat": part.seat, "ask": part.name})
            if self._said(was) != (again := self._said(now)):
                differing.append(note | {"again": again})
        return [*by_part.values(), *differing]

    def _said(self, reply: Reply) -> Evidence:
        """A reply in the fields that an event would hold it in."""
        if isinstance(reply, Fault):
            found = {} if reply.found is None else {"found": reply.found}
            return {"kind": reply.kind, **found, **to_fields(reply.raw)}
        silent = dict.fromkeys(ANSWER_CHANNELS[self.log.card.protocol], b"")
        return to_fields({**silent, **reply.raw})


def completed(
    failures: Mapping[int, Reply], asked: JointAsk, said: Mapping[int, Reply]
) -> dict[int, Reply]:
    """The replies on record where a bot failed, and behind the last of them what bots say now.

    Only failures in one step are recorded (SU-9): in the record's, if somebody fails earlier now.
    """
    steps = [reply.during for reply in failures.values() if isinstance(reply, Fault)]
    step = steps[0] if steps else asked.name
    following = {seat: reply for seat, reply in said.items() if seat > max(failures)}
    if step == asked.name:
        following = {seat: failing(reply, step) for seat, reply in following.items()}
    return {**failures, **following}


def failing(reply: Reply, step: str) -> Reply:
    """``reply``, which is a failure in ``step`` if it is one."""
    return replace(reply, during=step) if isinstance(reply, Fault) else reply
