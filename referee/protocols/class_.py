"""The *class* protocol: Python classes, in one match or in a batch of them (SU-8 to SU-10).

All bots are asked at the same time. A bot whose matches provably share nothing
(:mod:`referee.self_contained.proof`) has one process for a batch; every other bot has a process for
each match. An answer counts once it is given. If a process that serves a batch is lost, each of its
matches goes on in a process of its own: its bot receives everything again, and its earlier answers
count. No match depends on what a bot does in another one.
"""

from __future__ import annotations

import select
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from typing import cast

from games.table import Answer, Fault, JointAsk, Replies, Reply
from referee.bot import Bot
from referee.processes.process import STDERR_TAIL
from referee.processes.processor_time import FIRST_READING
from referee.protocols.base import Evidence, Seating, Session
from referee.protocols.class_messages import framed, parts_of
from referee.protocols.class_process import BotProcess, Choice, Failure
from referee.self_contained.proof import shares_nothing
from schema import seal

Row = bytes | list[int]
"""The choices of all seats in a match: bytes if they suffice, which are faster."""

Reaction = tuple[Replies, list[Evidence]]
"""Replies for the rules of one match, with the evidence."""


@contextmanager
def open_session(seating: Seating) -> Iterator[Session]:
    """Open a match of class bots, each in a process of its own."""
    with open_batch([seating]) as batch:
        yield lambda question: batch.ask({0: question})[0]


@contextmanager
def open_batch(seatings: Sequence[Seating]) -> Iterator[LockstepBatch]:
    """Open matches that are played in lockstep.

    Raises RefereeError if the referee lacks the means to start the processes.
    """
    batch = LockstepBatch(seatings)
    try:
        batch.start(batch.hosted)
        yield batch
    finally:
        for hosted in batch.hosted:
            hosted.end()


@dataclass(eq=False)
class HostedBot:
    """A bot, the process that hosts it, and its seats there."""

    bot: Bot
    seats: list[tuple[int, int]] = field(default_factory=list)
    """Matches, in ascending order, each with its seat."""
    process: BotProcess | None = None
    """None before the start, after the end, and after a loss."""

    def end(self) -> None:
        """End the process, if there is one."""
        if self.process is not None:
            self.process.end()
            self.process = None


@dataclass
class Separated:
    """A match that has left the batch, with the replies to its last question by seat."""

    question: JointAsk
    choices: list[Choice | None]


class LockstepBatch:
    """Matches whose questions are asked at the same time."""

    def __init__(self, seatings: Sequence[Seating]) -> None:
        self.seatings = seatings
        self.hosted: list[HostedBot] = []
        self.seats: list[list[HostedBot]] = [[] for _ in seatings]
        """By match and seat."""
        self.told: list[list[Row]] = [[] for _ in seatings]
        """By match, for each step: the choices that the bots received."""
        self.silent: set[tuple[int, int]] = set()
        """Matches and their steps in which the bots do not select."""
        self.separated: dict[int, Separated] = {}
        """Matches that wait for :meth:`go_on_alone`."""
        shared: dict[str, HostedBot] = {}
        for match, seating in enumerate(seatings):
            for seat, bot in enumerate(seating.bots):
                hosted = HostedBot(bot)
                if len(seatings) > 1 and shares_nothing(bot):
                    hosted = shared.setdefault(bot.name, hosted)
                if not hosted.seats:
                    self.hosted.append(hosted)
                self.seats[match].append(hosted)
                hosted.seats.append((match, seat))

    def start(self, started: Sequence[HostedBot]) -> None:
        """Start processes, with nothing of a bot loaded. Raises RefereeError."""
        for hosted in started:
            seats = {}
            for match, seat in hosted.seats:
                seating = self.seatings[match]
                seats[match] = (seat, seal.bot_seed(seating.seed, seat), len(seating.bots))
            seating = self.seatings[0]
            hosted.process = BotProcess(hosted.bot, seats, seating.isolation, seating.time_limit)
        attend(started)

    def end_match(self, match: int) -> None:
        """End the processes that serve no other match."""
        for hosted in self.seats[match]:
            if len(hosted.seats) == 1:
                hosted.end()

    # --- a step ---

    def ask(self, questions: Mapping[int, JointAsk]) -> dict[int, Reaction]:
        """Ask the bots of some matches questions of the same form; return the replies.

        A match without a reply was separated: one of its bots has lost its process.
        """
        question = next(iter(questions.values()))
        construct, select = question.observation.choices is None, bool(question.legal)
        told = {}
        for match, asked in questions.items():
            told[match] = row_of(asked.observation.choices or ())
            if not select:
                self.silent.add((match, len(self.told[match])))
            self.told[match].append(told[match])
        choices = self.take_step(told, construct, select)
        reactions = {}
        for match, asked in questions.items():
            if None in choices[match]:
                self.separated[match] = Separated(asked.copy(), choices[match])
            else:
                reactions[match] = self.react(match, asked, cast(list[Choice], choices[match]))
        return reactions

    def take_step(
        self, told: Mapping[int, Row], construct: bool, select: bool
    ) -> dict[int, list[Choice | None]]:
        """Take a step in some matches; return the replies by match and seat, None after a loss."""
        asked: list[tuple[HostedBot, BotProcess, list[tuple[int, int]]]] = []
        parts, messages = parts_of(construct, select), dict[bytes, bytes]()
        for hosted in self.hosted:
            seats = hosted.seats
            if len(told) < len(self.seatings):
                seats = [(match, seat) for match, seat in seats if match in told]
            if seats and hosted.process is not None:
                numbers = bytes([match for match, _ in seats])
                if numbers not in messages:
                    rows = joined([told[match] for match in numbers])
                    messages[numbers] = framed((construct, select, numbers, rows))
                hosted.process.ask(messages[numbers], parts, len(seats))
                asked.append((hosted, hosted.process, seats))
        attend([hosted for hosted, _, _ in asked])
        choices: dict[int, list[Choice | None]] = {
            match: [None] * len(self.seats[match]) for match in told
        }
        for _, process, seats in asked:
            for (match, seat), choice in zip(seats, process.answers, strict=False):
                choices[match][seat] = choice
        for hosted, process, _ in asked:
            if process.lost:
                hosted.end()
        return choices

    def react(self, match: int, question: JointAsk, choices: list[Choice]) -> Reaction:
        """Return the replies for the rules, and evidence unless all choices are legal."""
        legal = integers(question.legal)
        if {*map(type, choices)} == {int} and legal.issuperset(choices):
            return cast(list[int], choices), []
        choices = [checked(choice, question) for choice in choices]
        failed = any(isinstance(choice, Fault) for choice in choices)
        notes = [self.note(match, seat, question, choice) for seat, choice in enumerate(choices)]
        if not (question.legal or failed):
            return None, notes
        replies = {seat: reply_of(choice, question) for seat, choice in enumerate(choices)}
        return {seat: reply for seat, reply in replies.items() if reply}, notes

    def note(self, match: int, seat: int, question: JointAsk, choice: Choice) -> Evidence:
        """Return the evidence of a bot in a match until now."""
        hosted = self.seats[match][seat]
        note: Evidence = {"seat": seat, "ask": question.name}
        stderr = ""
        if hosted.process is not None:
            note |= hosted.process.evidence(len(hosted.seats))
            stderr = hosted.process.stderr_so_far()
        if isinstance(choice, Failure):
            stderr += choice.traceback
        return note | ({"stderr": stderr[-STDERR_TAIL:]} if stderr else {})

    # --- a match that leaves the batch ---

    def go_on_alone(self, match: int) -> Reaction:
        """Go on with a match that was separated; its answers count.

        A bot that lost its process gets one for this match. It receives everything again and
        every question again; where it answers otherwise than before, that is evidence.
        """
        separated = self.separated.pop(match)
        notes: list[Evidence] = []
        for seat, lost in enumerate(self.seats[match]):
            if lost.process is None:
                hosted = HostedBot(lost.bot, [(match, seat)])
                self.hosted.append(hosted)
                self.seats[match][seat] = hosted
                self.start([hosted])
                notes.append(self.tell_again(match, hosted, separated))
        choices = cast(list[Choice], separated.choices)
        replies, more = self.react(match, separated.question, choices)
        return replies, [*notes, *more]

    def tell_again(self, match: int, hosted: HostedBot, separated: Separated) -> Evidence:
        """Tell a bot everything again, and add its reply to the last question if that is missing.

        Returns a note for the evidence.
        """
        assert hosted.process is not None
        [(_, seat)], steps, differing = hosted.seats, self.told[match], []
        for number, told in enumerate(steps):
            selects = (match, number) not in self.silent
            message = framed((not number, selects, bytes([match]), told))
            hosted.process.ask(message, parts_of(not number, selects), 1)
            attend([hosted])
            [choice] = hosted.process.answers
            if number + 1 < len(steps):
                before: Choice | None = steps[number + 1][seat]
            elif (before := separated.choices[seat]) is None:
                before = separated.choices[seat] = in_parts(choice, parts_of(not number, selects))
            if selects and choice != before:
                differing.append(number)
        note: Evidence = {"seat": seat, "ask": separated.question.name}
        note["resumed_after"] = len(steps) - 1
        return note | ({"answered_otherwise": differing} if differing else {})


def row_of(choices: Sequence[int]) -> Row:
    """Return choices in the smaller form."""
    try:
        return bytes(choices)
    except ValueError:
        return [*choices]


def joined(rows: Sequence[Row]) -> Row:
    """Return the choices of several matches, one after the other."""
    try:
        return b"".join(rows)  # type: ignore[arg-type]
    except TypeError:
        return [*chain.from_iterable(rows)]


# --- replies -------------------------------------------------------------------------------------


@cache
def integers(legal: tuple[str, ...]) -> frozenset[object]:
    """Return the legal choices as integers."""
    return frozenset(map(int, legal))


def in_parts(choice: Choice, parts: Sequence[str]) -> Choice:
    """Return a reply; a fault in an earlier step counts in the first of ``parts`` after loading."""
    if isinstance(choice, Fault) and choice.during not in parts:
        return replace(choice, during="construct" if "construct" in parts else parts[0])
    return choice


def checked(choice: Choice, question: JointAsk) -> Choice:
    """Return a reply; the text of a legal choice is a forgery, as the worker sends integers."""
    if isinstance(choice, bytes) and choice.decode(errors="replace") in question.legal:
        return Fault("crash", during="select")
    return choice


def reply_of(choice: Choice, question: JointAsk) -> Reply | None:
    """Return the reply for the rules; None for a bot that had nothing to answer."""
    if isinstance(choice, Fault):
        return Fault(choice.kind, during=choice.during)
    if not question.legal:
        return None
    return Answer({"output": choice if isinstance(choice, bytes) else str(choice).encode()})


# --- waiting -------------------------------------------------------------------------------------


def attend(asked: Sequence[HostedBot]) -> None:
    """Wait until every process has answered or failed."""
    processes = [bot.process for bot in asked if bot.process is not None]
    end = time.monotonic() + FIRST_READING
    for process in processes:
        process.wait(end)
    while pending := [process for process in processes if process.waiting]:
        for process in processes:
            if not process.waiting:
                process.stop()  # it takes no time from those that are still at work
        owners = {descriptor: process for process in pending for descriptor in process.open}
        poll = select.poll()
        for descriptor in owners:
            poll.register(descriptor, select.POLLIN)
        patience = [process.patience() for process in pending]
        for descriptor, _ in poll.poll(min(patience) * 1000):
            owners[descriptor].read_from(descriptor)
        for process, left in zip(pending, patience, strict=True):
            if process.waiting and left == 0:
                process.fail("timeout")
