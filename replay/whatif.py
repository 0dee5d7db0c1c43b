"""What would have followed, had one answer of a match been different.

The match runs as it is recorded up to the question of that answer. There another answer goes in,
and the rules go on: up to the next question, or, with live bots to put it to, to the end. The dice
stay what the seed makes them. The bots are asked from the match's start, so that they remember what
they would, and with the seeds that they had for each decision; until then what is recorded stands,
whatever they say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from games.recorded import ANSWERS
from games.table import Answer, Ask, Fault, JointAsk, Replies, Reply, State, replies_by_seat
from replay.driver import Asked, OutOfAnswers, ReplayDriver
from replay.errors import NoSuchEvent, ReplayError
from replay.reask import Asker
from replay.rerun import Step
from schema.bot_output import ANSWER_CHANNELS, CAP
from schema.canonical import Event
from schema.dice import Draw
from schema.errors import UsageError
from schema.reader import Log

NEAREST = 2
"""How many answers are named where there is none."""


@dataclass
class WhatIf:
    """What would have followed from another answer."""

    log: Log
    seq: int
    """The event that holds the recorded answer."""
    seat: int
    """Whose answer is another."""
    answer: Mapping[str, bytes]
    """That answer, by channel."""
    steps: list[Step] = field(default_factory=list)
    """The events that would have followed, from the one that the rules emit first."""
    before: dict[str, object] | None = None
    """The state when the question was asked."""
    after: dict[str, object] | None = None
    """The state after the last of the events."""
    asked: Sequence[Ask] | JointAsk | None = None
    """The question that would have come next; None where the match would have been over."""
    heard: int = 0
    """How many recorded answers live bots were asked for as well."""
    unlike: int = 0
    """How many of them come out otherwise now: then these are other bots, or ones of chance."""

    @property
    def end(self) -> Event | None:
        """How the match would have ended; None where it goes on."""
        return self.steps[-1].event if self.steps and self.asked is None else None

    @property
    def recorded_end(self) -> Event:
        """How it is recorded to have ended."""
        return self.log.events[-2]

    @property
    def same(self) -> bool:
        """Whether what would have followed is just what is recorded."""
        recorded = self.log.events
        return all(
            step.seq < len(recorded) and step.event == recorded[step.seq] for step in self.steps
        )


def what_if(
    log: Log,
    seq: int,
    answer: Mapping[str, bytes],
    seat: int | None = None,
    asker: Asker | None = None,
) -> WhatIf:
    """What would have followed, had the answer that event ``seq`` holds been ``answer``.

    ``log`` is :func:`replay.reask.checked`. A channel that ``answer`` leaves out stays as recorded.
    ``seat`` is needed where the event holds the answers of all seats. With ``asker`` live bots go
    on to the end of the match; else it stops at the next question. (A class bot that fails at the
    very question is gone then, as in a match: it fails again at the next.)

    Raises NoSuchEvent where there is no such event or it holds no answer, UsageError for a seat or
    channel that is not asked, and ReplayError where the rules need answers that nobody has.
    """
    seat = _seat(log, seq, seat)
    for channel, written in answer.items():
        if channel not in ANSWER_CHANNELS[log.card.protocol]:
            raise UsageError(f"a bot of {log.card.title} has no channel '{channel}'.")
        if len(written) > CAP:
            raise UsageError(f"an answer: expected at most {CAP} bytes, found {len(written)}.")
    return _Otherwise(log, WhatIf(log, seq, seat, answer), asker).run()


def _seat(log: Log, seq: int, seat: int | None) -> int:
    """Whose answer in event ``seq`` is meant. Raises NoSuchEvent and UsageError."""
    events: Sequence[Mapping[str, Any]] = log.events
    if not 0 <= seq < len(events):
        raise NoSuchEvent(
            f"{log.path}: expected an event from 0 to {len(events) - 1}, found {seq}."
        )
    carriers = {carrier.event for carrier in log.version.carriers.values()}
    event, where = events[seq], f"{log.path}: event {seq}"
    if event["type"] not in (*ANSWERS, *carriers):
        raise NoSuchEvent(
            f"{where} ({event['type']}): expected an event that holds an answer. "
            f"{_nearest(events, seq, {*ANSWERS, *carriers})}"
        )
    if event["type"] in ANSWERS:
        if seat not in (None, event["seat"]):
            raise UsageError(f"{where} is an answer of seat {event['seat']}, not of seat {seat}.")
        return int(event["seat"])
    last = len(log.start["players"]) - 1
    if seat is None:
        raise UsageError(f"{where} holds the answers of seats 0 to {last}: say whose is another.")
    if not 0 <= seat <= last:
        raise UsageError(f"{where}: expected a seat from 0 to {last}, found {seat}.")
    return seat


def _nearest(events: Sequence[Mapping[str, Any]], seq: int, types: set[str]) -> str:
    """The events nearest to ``seq`` that hold an answer, as a sentence."""
    answers = [at for at, event in enumerate(events) if event["type"] in types]
    nearest = sorted(sorted(answers, key=lambda at: abs(at - seq))[:NEAREST])
    if not nearest:
        return "There is none in this log."
    told = (
        f"{at} ({events[at]['type']}"
        + (f", seat {events[at]['seat']}, {events[at]['ask']})" if "ask" in events[at] else ")")
        for at in nearest
    )
    return f"The nearest: {' and '.join(told)}."


class _Asked(Exception):
    """Leaves the rules at the question that nobody is there to answer."""


class _Otherwise(ReplayDriver):
    """The match as it is recorded up to one question, and as it would have gone on from there."""

    def __init__(self, log: Log, found: WhatIf, asker: Asker | None) -> None:
        self._draws: list[Draw] = []
        super().__init__(log, log.seal["seed"], self._draws.append)
        self.at = 1
        self.found = found
        self._asker = asker
        self._answered = False  # whether the other answer has been given

    def run(self) -> WhatIf:
        with suppress(_Asked):
            self.drive_rules()
        self.found.after = self._state()
        return self.found

    def event(self, seq: int) -> Mapping[str, Any]:
        if seq >= len(self.log.events):
            raise OutOfAnswers
        found: Mapping[str, Any] = self.log.events[seq]
        return found

    def take(self, event: Event, clause: str) -> None:
        if self._answered:
            self.found.steps.append(Step(self.at, event, clause, draws=tuple(self._draws)))
        self._draws.clear()
        self.at += 1

    def answers(self, asked: Sequence[Ask] | JointAsk) -> Replies:
        if self._answered:
            return self._go_on(asked)
        recorded = super().answers(asked)
        live = None if self._asker is None else self._asker(asked)
        if self.found.seq in self._places(asked, recorded):
            self.found.before = self._state()
            self._answered = True
            return self._otherwise(asked, recorded, live)
        if self._asker is not None:
            self._compare(_by_seat(asked, recorded), _by_seat(asked, live))
        return recorded

    def _go_on(self, asked: Sequence[Ask] | JointAsk) -> Replies:
        """Live bots answer; without any that is the end."""
        if self._asker is None:
            self.found.asked = asked.copy() if isinstance(asked, JointAsk) else asked
            raise _Asked
        return self._asker(asked)

    def _places(self, asked: Asked, recorded: Replies) -> Sequence[int]:
        """Which events hold the replies to a question."""
        if isinstance(asked, JointAsk) and isinstance(recorded, list):
            return [self.at]
        following = range(self.at, len(self.log.events))
        answers = (seq for seq in following if self.event(seq)["type"] in ANSWERS)
        return list(islice(answers, len(recorded or ())))

    def _otherwise(
        self, asked: Sequence[Ask] | JointAsk, recorded: Replies, live: Replies
    ) -> Replies:
        """The replies on record, with the other answer among them."""
        seat, replies = self.found.seat, _by_seat(asked, recorded)
        if self._asker is not None:
            now = _by_seat(asked, live)
            self._compare({one: reply for one, reply in replies.items() if one != seat}, now)
            replies = {**now, **replies}
        raw = replies[seat].raw if seat in replies else {}
        said = {
            channel: raw.get(channel, b"") for channel in ANSWER_CHANNELS[self.log.card.protocol]
        }
        self.found.answer = {**said, **self.found.answer}
        replies[seat] = Answer(self.found.answer)
        if isinstance(asked, JointAsk):
            return self._jointly(asked, replies)
        return [replies[ask.seat] for ask in asked]

    def _jointly(self, asked: JointAsk, replies: dict[int, Reply]) -> Replies:
        """The replies to a joint ask as a referee gives them."""
        seat = self.found.seat
        if not asked.legal:  # they are only told something
            if any(self.found.answer.values()):
                raise UsageError(
                    f"{self.log.path}: event {self.found.seq}: seat {seat} is told something here, "
                    "and asked nothing; expected an empty answer."
                )
            del replies[seat]
            return replies or None
        seats = range(len(self.table.players))
        texts = [replies[one].raw.get("output", b"").decode(errors="replace") for one in replies]
        whole = len(replies) == len(seats)
        failed = any(isinstance(reply, Fault) for reply in replies.values())
        if whole and not failed and set(texts) <= set(asked.legal):
            return [int(replies[one].raw["output"]) for one in seats]
        if not whole and not failed:
            # Of a failure before the choice nobody's choice is on record (SU-9).
            raise ReplayError(
                f"{self.log.path}: event {self.found.seq}: what the other seats answered there is "
                "not on record. Live bots can say it."
            )
        return replies

    def _compare(self, recorded: Mapping[int, Reply], live: Mapping[int, Reply]) -> None:
        """Count the answers that come out otherwise now."""
        self.found.heard += len(recorded)
        self.found.unlike += sum(
            _said(reply) != _said(live.get(seat)) for seat, reply in recorded.items()
        )

    def _state(self) -> dict[str, object] | None:
        state: State | None = self.table.state
        return state.snapshot() if state is not None else None


def _by_seat(asked: Sequence[Ask] | JointAsk, replies: Any) -> dict[int, Reply]:
    """Replies with whose they are."""
    if isinstance(asked, JointAsk):
        return replies_by_seat(replies)
    return {ask.seat: reply for ask, reply in zip(asked, replies, strict=True)}


def _said(reply: Reply | None) -> object:
    """As much of a reply as two runs have in common: of a fault its kind."""
    return reply.kind if isinstance(reply, Fault) else reply
