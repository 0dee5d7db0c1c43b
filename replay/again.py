"""Plays a recorded match again with another bot at one seat, and the same dice.

The recorded answer of another seat counts as long as all questions to that seat are the recorded
ones: its bot has seen the same. Its own bot answers from the first different question on. That bot
is asked from the start of the match, so that it remembers what it would have remembered.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any

from games.driving import StopRules
from games.table import Ask, Fault, JointAsk, Part, Replies, Reply, joint_replies
from replay.decisions import Decision, decisions
from replay.diff import Difference, compare
from replay.driver import Question, ReplayDriver
from replay.reask import AskerByPart
from replay.whatif import comparable
from schema import canonical
from schema.canonical import Event
from schema.log_path import path_text
from schema.reader import Log


@dataclass
class Again:
    """A recorded match, and the same match with another bot at one seat."""

    log: Log
    seat: int
    """The seat of the other bot."""
    events: list[Event]
    """The events of the new match, without a seal."""
    asked: int = 0
    """Number of questions to the other bot."""
    departed: dict[int, int] = field(default_factory=dict)
    """By other seat: the number of events before its first question that is not recorded."""
    missing: int | None = None
    """The seat whose bot must answer the next question, and is not there."""
    otherwise: dict[int, int] = field(default_factory=dict)
    """By other seat: how often its bot answers a recorded question otherwise now."""

    @property
    def player(self) -> Mapping[str, str]:
        """The name and the hash of the other bot."""
        player: Mapping[str, str] = self.start["players"][self.seat]
        return player

    @property
    def start(self) -> Mapping[str, Any]:
        """The first event of the new match."""
        return self.events[0]

    @property
    def other_seats(self) -> Sequence[int]:
        """The seats of the bots that did not change."""
        return [seat for seat in range(len(self.start["players"])) if seat != self.seat]

    @property
    def same(self) -> bool:
        """Whether all events but the first are the recorded ones."""
        new, recorded = islice(self.events, 1, None), islice(self.log.events, 1, None)
        return len(self.events) == len(self.log.events) - 1 and all(
            map(canonical.same, new, recorded)
        )

    @cached_property
    def difference(self) -> Difference:
        """The first difference of the two matches."""
        new = replace(self.log, events=self.events)
        recorded = replace(self.log, events=self.log.events[:-1])
        return compare((recorded, new), (path_text(self.log.path), "again"), self.log)


def again(
    log: Log, seat: int, player: Mapping[str, object], asker: AskerByPart, present: Collection[int]
) -> Again:
    """Play the match of ``log`` with the bot that ``asker`` has at ``seat``.

    ``log`` comes from :func:`replay.reask.read_verified`. ``player`` are the name and the hash of
    the bot, as the first event holds them. ``present`` are the seats that ``asker`` answers for.
    The match stops at the first question that no bot is there to answer (``missing``). Raises
    GameError if the rules fail.
    """
    run = _Again(log, seat, asker, present)
    players = [{**other, **player} if other["seat"] == seat else other for other in run.players]
    run.result.events.append({**log.start, "players": players})
    with suppress(_NoBot):
        run.drive_rules()
    return run.result


class _NoBot(StopRules):
    """Stops the rules at a question that no bot is there to answer."""


class _Again(ReplayDriver):
    """The new match in progress."""

    def __init__(self, log: Log, seat: int, asker: AskerByPart, present: Collection[int]) -> None:
        self.result = Again(log, seat, [])
        self.players = log.start["players"]
        self._asker, self._present = asker, present
        self._recorded = decisions(log)
        self._waiting: dict[int, deque[Decision]] = {
            other: deque() for other in range(len(self.players)) if other != seat
        }
        """By other seat that has not departed: its recorded decisions that are read ahead."""
        super().__init__(log, log.seal["seed"])

    def receive(self, event: Event, clause: str) -> None:
        self.result.events.append(event)

    def answer(self, question: Question) -> Replies:
        live = self._asker(question)
        asks: Sequence[tuple[Part, Ask | JointAsk]] = (
            [(Part(seat, question.name), question) for seat in range(len(self.players))]
            if isinstance(question, JointAsk)
            else [(ask.part, ask) for ask in question]
        )
        replies = {part: self._reply(part, ask, live) for part, ask in asks}
        given = {part: reply for part, reply in replies.items() if reply is not None}
        for part, ask in asks:
            if ask.legal and part not in given and not _failed_before(ask, given):
                self.result.missing = part.seat
                raise _NoBot
        if isinstance(question, JointAsk):
            by_seat = {part.seat: reply for part, reply in given.items()}
            return joint_replies(question, by_seat, len(self.players))
        return [given[part] for part, _ in asks]

    def _reply(
        self, part: Part, question: Ask | JointAsk, live: Mapping[Part, Reply]
    ) -> Reply | None:
        """Return the reply to a part of the question that counts; None if there is none."""
        seat = part.seat
        if seat == self.result.seat:
            self.result.asked += bool(question.legal)
            return live.get(part)
        if seat not in self.result.departed:
            decision = self._next_decision(seat)
            if decision is not None and decision.question == question:
                return self._compared(seat, decision.reply, live.get(part))
            self.result.departed[seat] = len(self.result.events)
            del self._waiting[seat]
        return live.get(part)

    def _next_decision(self, seat: int) -> Decision | None:
        """Return the next recorded decision of a seat that has not departed, if there is one."""
        while not self._waiting[seat]:
            decision = next(self._recorded, None)
            if decision is None:
                return None
            if decision.seat in self._waiting:
                self._waiting[decision.seat].append(decision)
        return self._waiting[seat].popleft()

    def _compared(self, seat: int, recorded: Reply | None, live: Reply | None) -> Reply | None:
        """Return the recorded reply, and note if the bot gives another one now."""
        if recorded is None:
            return live
        if seat in self._present and comparable(recorded) != comparable(live):
            self.result.otherwise[seat] = self.result.otherwise.get(seat, 0) + 1
        return recorded


def _failed_before(question: Ask | JointAsk, given: Mapping[Part, Reply]) -> bool:
    """Return whether a bot failed before the choice, so that no choice counts (SU-9)."""
    return any(
        isinstance(reply, Fault) and reply.during not in (None, question.name)
        for reply in given.values()
    )
