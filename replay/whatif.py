"""Computes what would have followed if one answer of a match had been different.

The match runs as recorded up to the question of that answer. There the other answer goes in, and
the rules continue: up to the next question, or to the end if live bots answer. The dice remain
those of the seed. Live bots are asked from the start of the match, with the same seeds, so that
they remember what they would have remembered. Up to the other answer the recorded answers count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from games.driving import StopRules
from games.recorded import ANSWERS
from games.table import Answer, Fault, JointAsk, Part, Replies, Reply, joint_replies
from replay.driver import Question, ReplayDriver, replies_by_part
from replay.errors import NoSuchEvent, ReplayError
from replay.reask import Asker
from replay.rerun import Step
from replay.state import check_seq
from replay.timeline import answer_types
from schema import canonical
from schema.bot_output import ANSWER_CHANNELS, CAP
from schema.canonical import Event
from schema.dice import Draw
from schema.errors import UsageError
from schema.reader import Log

NEAREST = 2
"""Number of events with an answer that the error about an event without one names."""


@dataclass
class WhatIf:
    """The events that would have followed from another answer."""

    log: Log
    seq: int
    """The event that holds the recorded answer."""
    seat: int
    """The seat with the other answer."""
    answer: Mapping[str, bytes]
    """The other answer, by channel."""
    steps: list[Step] = field(default_factory=list)
    """The events that would have followed the other answer."""
    before: dict[str, object] | None = None
    """The state when the question was asked."""
    after: dict[str, object] | None = None
    """The state after the last of the events."""
    next_question: Question | None = None
    """The question that would have come next; None if the match would have ended."""
    compared: int = 0
    """Number of recorded answers that live bots were asked for as well."""
    changed: int = 0
    """Number of them to which live bots now reply otherwise."""

    @property
    def end(self) -> Event | None:
        """The result that the match would have had; None if it would have continued."""
        return self.steps[-1].event if self.steps and self.next_question is None else None

    @property
    def recorded_end(self) -> Event:
        """The recorded result."""
        return self.log.events[-2]

    @property
    def same(self) -> bool:
        """Whether the events that would have followed are the recorded ones."""
        events = self.log.events
        return all(canonical.same(step.event, events[step.seq]) for step in self.steps)


def what_if(
    log: Log,
    seq: int,
    answer: Mapping[str, bytes],
    seat: int | None = None,
    asker: Asker | None = None,
) -> WhatIf:
    """Replace the answer in event ``seq`` by ``answer``, and return what would have followed.

    ``log`` comes from :func:`replay.reask.read_verified`. Channels missing in ``answer`` stay as
    recorded. ``seat`` is required if the event holds the answers of all seats. With ``asker``, live
    bots play on to the end of the match; without, the rules stop at the next question. A class bot
    that fails at the question itself has left the match, as in a live match: it fails again at the
    next one.

    Raises NoSuchEvent if the event does not exist or holds no answer, UsageError for a seat or
    channel that is not asked, and ReplayError if the rules need an answer that is not recorded.
    """
    seat = seat_of_answer(log, seq, seat)
    channels = ANSWER_CHANNELS[log.card.protocol]
    for channel, written in answer.items():
        if channel not in channels:
            expected = f"the {' or '.join(channels)} of a bot of {log.card.title}"
            raise UsageError(f"an answer: expected {expected}, found the channel '{channel}'.")
        if len(written) > CAP:
            raise UsageError(f"an answer: expected at most {CAP} bytes, found {len(written)}.")
    return _OtherRun(log, WhatIf(log, seq, seat, answer), asker).run()


def seat_of_answer(log: Log, seq: int, seat: int | None) -> int:
    """Return the seat whose answer in event ``seq`` is meant. Raises NoSuchEvent and UsageError."""
    check_seq(log, seq)
    event: Mapping[str, Any] = log.events[seq]
    name = f"{log.path}: event {seq}"
    types = answer_types(log)
    if event["type"] not in types:
        raise NoSuchEvent(
            f"{name} ({event['type']}): expected an event that holds an answer. "
            f"{_nearest(log.events, seq, types)}"
        )
    if event["type"] in ANSWERS:
        if seat not in (None, event["seat"]):
            raise UsageError(f"{name} is an answer of seat {event['seat']}, not of seat {seat}.")
        return int(event["seat"])
    last = len(log.start["players"]) - 1
    if seat is None:
        raise UsageError(f"{name} holds the answers of seats 0 to {last}: choose one with --seat.")
    if not 0 <= seat <= last:
        raise UsageError(f"{name}: expected a seat from 0 to {last}, found {seat}.")
    return seat


def _nearest(events: Sequence[Mapping[str, Any]], seq: int, types: set[str]) -> str:
    """Name the events nearest to ``seq`` that hold an answer, in a sentence."""
    answers = [at for at, event in enumerate(events) if event["type"] in types]
    nearest = sorted(sorted(answers, key=lambda at: abs(at - seq))[:NEAREST])
    if not nearest:
        return "This log has none."
    descriptions = (
        f"{at} ({events[at]['type']}"
        + (f", seat {events[at]['seat']}, {events[at]['ask']})" if "ask" in events[at] else ")")
        for at in nearest
    )
    return f"The nearest: {' and '.join(descriptions)}."


class _Unanswered(StopRules):
    """Stops the rules at a question that no live bot is there to answer."""


class _OtherRun(ReplayDriver):
    """The match as recorded up to one question, and as it would have continued from there."""

    def __init__(self, log: Log, result: WhatIf, asker: Asker | None) -> None:
        self._draws: list[Draw] = []
        super().__init__(log, log.seal["seed"], self._draws.append)
        self.result = result
        self._asker = asker
        self._replaced = False  # whether the other answer has been given

    def run(self) -> WhatIf:
        with suppress(_Unanswered):
            self.drive_rules()
        self.result.after = self.snapshot()
        return self.result

    def receive(self, event: Event, clause: str) -> None:
        if self._replaced:
            step = Step(self.next_seq, event, clause, draws=tuple(self._draws))
            self.result.steps.append(step)
        self._draws.clear()
        self.next_seq += 1

    def answer(self, question: Question) -> Replies:
        if self._replaced:
            return self._continue(question)
        recorded = super().answer(question)
        live = None if self._asker is None else self._asker(question)
        seqs = self.answer_seqs(question, recorded)
        if self.result.seq in seqs:
            self.result.before = self.snapshot()
            self._replaced = True
            return self._replace(question, recorded, live, seqs.index(self.result.seq))
        if self._asker is not None:
            self._compare(replies_by_part(question, recorded), replies_by_part(question, live))
        return recorded

    def _continue(self, question: Question) -> Replies:
        """Let live bots answer; without them, stop here."""
        if self._asker is None:
            self.result.next_question = question
            raise _Unanswered
        return self._asker(question)

    def _replace(self, question: Question, recorded: Replies, live: Replies, index: int) -> Replies:
        """Return the recorded replies, with the other answer in place of one of them.

        In a list of questions it is the reply number ``index``.
        """
        seat, replies = self.result.seat, replies_by_part(question, recorded)
        name = question.name if isinstance(question, JointAsk) else question[index].name
        replaced = Part(seat, name)
        if self._asker is not None:
            live_replies = replies_by_part(question, live)
            others = {other: reply for other, reply in replies.items() if other != replaced}
            self._compare(others, live_replies)
            replies = {**live_replies, **replies}
        raw = replies[replaced].raw
        channels = ANSWER_CHANNELS[self.log.card.protocol]
        recorded_answer = {channel: raw.get(channel, b"") for channel in channels}
        self.result.answer = {**recorded_answer, **self.result.answer}
        replies[replaced] = Answer(self.result.answer)
        if isinstance(question, JointAsk):
            by_seat = {part.seat: reply for part, reply in replies.items()}
            return self._joint_replies(question, by_seat)
        return [replies[ask.part] for ask in question]

    def _joint_replies(self, question: JointAsk, replies: dict[int, Reply]) -> Replies:
        """Return the replies to a joint ask in the form in which a referee sends them."""
        seat = self.result.seat
        name = f"{self.log.path}: event {self.result.seq}"
        if not question.legal:  # the rules inform the seats, and expect no answer
            if any(self.result.answer.values()):
                raise UsageError(
                    f"{name}: seat {seat} has nothing to answer here; expected an empty answer."
                )
            del replies[seat]
            return replies or None
        seats = len(self.table.players)
        failed = any(isinstance(reply, Fault) for reply in replies.values())
        if len(replies) < seats and not failed:
            # If a bot fails before the choice, no choice is recorded (SU-9).
            raise ReplayError(
                f"{name}: the answers of the other seats there are not on record. Give --bots to "
                "ask live bots."
            )
        return joint_replies(question, replies, seats)

    def _compare(self, recorded: Mapping[Part, Reply], live: Mapping[Part, Reply]) -> None:
        """Count the recorded answers, and those to which live bots now reply otherwise."""
        self.result.compared += len(recorded)
        self.result.changed += sum(
            comparable(reply) != comparable(live.get(part)) for part, reply in recorded.items()
        )


def comparable(reply: Reply | None) -> object:
    """Return the part of a reply that does not differ between two runs: of a fault, its kind."""
    return reply.kind if isinstance(reply, Fault) else reply
