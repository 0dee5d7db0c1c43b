"""The *class* protocol: Python classes, in one match or in a batch of them (SU-8 to SU-10).

All bots are asked at the same time. A bot whose matches provably share nothing
(:mod:`referee.self_contained.proof`) has one process for a batch; every other bot has a process for
each match. An answer counts once it is given. If a process that serves a batch is lost, each of its
matches goes on in a process of its own: its bot receives everything again, and its earlier answers
count. No match depends on what a bot does in another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import cast

from games.table import Answer, Fault, JointAsk, Replies, Reply
from referee.bot import Bot
from referee.outcome import STDERR_TAIL
from referee.protocols import system
from referee.protocols.base import Evidence, Seating, Session
from referee.protocols.class_process import (
    BotProcess,
    Choice,
    Failure,
    framed,
    parts_of,
    worker_bot,
)
from referee.protocols.function import FunctionProcess
from referee.protocols.system import Stderrs
from referee.roster.functions import FunctionBot
from referee.self_contained.proof import shares_nothing
from schema import seal
from schema.choices import legal_integers

Row = bytes | list[int]
"""The choices of all seats in a match: bytes if they suffice, which are faster."""

STDERR_KEPT = 256 * 1024
"""Characters of a bot's standard error in one match that the evidence of legal choices keeps."""

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
        with ExitStack() as stack:  # ends the others if an interrupt ends one end
            for hosted in batch.hosted:
                stack.callback(hosted.end)


def expect(bots: Iterable[Bot], isolation: str) -> None:
    """Begin to start what ``bots`` need. Without a sandbox, one server starts all processes."""
    if isolation == "sandbox":
        programs = [bot for bot in bots if not isinstance(bot, FunctionBot)]
        system.expect(map(worker_bot, programs), isolation)


@dataclass(eq=False)
class HostedBot:
    """A bot, the process that plays it, and its seats in the matches of that process."""

    bot: Bot
    seats: list[tuple[int, int]] = field(default_factory=list)
    """Matches, in ascending order, each with its seat."""
    process: BotProcess | FunctionProcess | None = None
    """None before the start, after the end, and after a loss."""
    printed: int = 0
    """Characters of standard error that are in the evidence of legal choices."""

    def end(self) -> None:
        """End the process, if there is one."""
        if self.process is not None:
            self.process.end()
            self.process = None


class LockstepBatch:
    """Matches whose questions are asked at the same time."""

    def __init__(self, seatings: Sequence[Seating]) -> None:
        self.seatings = seatings
        self.hosted: list[HostedBot] = []
        self.seats: list[list[HostedBot]] = [[] for _ in seatings]
        """By match and seat."""
        self.steps: list[list[tuple[bool, bool, Row]]] = [[] for _ in seatings]
        """By match, for each step: whether bots construct and select, and their message."""
        self.last: list[list[Choice]] = [[] for _ in seatings]
        """By match: the replies of the last step, by seat."""
        self.untold: list[dict[int, list[Choice]]] = [{} for _ in seatings]
        """By match: the replies of earlier steps that the next question did not tell the bots."""
        self.failed = set[tuple[int, int]]()
        """Matches, each with the seat of a bot that has failed there and is not asked any more."""
        self.given: dict[int, list[Choice | None]] = {}
        """By match: the replies to a question that a lost process left without all of them."""
        self.stderr: dict[int, Stderrs] = {}
        """By match, after its first question."""
        self.planned: list[int] = []
        """The matches of the last step, if it can be taken again in the same way."""
        self.to_ask: list[tuple[HostedBot, BotProcess | FunctionProcess, bytes]] = []
        """Each process to ask, with the match of each seat that it serves."""
        self.earlier: list[Choice | None] = []
        """None, for seats without a process, and the replies that were given before a loss."""
        self.positions: list[int] = []
        """By match and seat: the index of the reply in ``earlier`` with all answers."""
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
        first = self.seatings[0]
        expect([hosted.bot for hosted in started], first.isolation)
        for hosted in started:
            seats = {}
            for match, seat in hosted.seats:
                seating = self.seatings[match]
                seats[match] = (seat, seal.bot_seed(seating.seed, seat), len(seating.bots))
            bot = hosted.bot
            if isinstance(bot, FunctionBot):
                [its_seat] = seats.values()  # its matches share no process
                hosted.process = FunctionProcess(bot, its_seat)
            else:
                hosted.process = BotProcess(bot, seats, first.isolation, first.time_limit)
        self.planned = []
        attend(started)

    def end_match(self, match: int) -> None:
        """End the processes that serve no other match."""
        for hosted in self.seats[match]:
            if len(hosted.seats) == 1:
                hosted.end()

    # --- a step ---

    def ask(self, questions: Mapping[int, JointAsk]) -> dict[int, Reaction]:
        """Ask the bots of some matches questions of the same form; return the replies.

        A match without a reply has a bot that lost its process. Ask it again, alone: the bot then
        gets a process for this match, and the replies that were given count.
        """
        first = next(iter(questions.values()))
        construct, select = first.observation.choices is None, bool(first.legal)
        for match, question in questions.items():
            if match not in self.given:
                told, steps = question.observation.choices or (), self.steps[match]
                if told != self.last[match] and steps:
                    self.untold[match][len(steps) - 1] = self.last[match]
                steps.append((construct, select, row_of(told)))
        notes = self.restart_lost(match, first) if len(questions) == 1 else []
        choices = self.take_step([*questions], construct, select)
        all_legal = are_legal(first, choices)
        reactions, end = dict[int, Reaction](), 0
        for match, question in questions.items():
            begin, end = end, end + len(self.seats[match])
            given = choices[begin:end]
            if not all_legal and None in given:
                self.given[match] = given
                continue
            self.last[match] = cast(list[Choice], [*given])  # the rules may change ``given``
            if all_legal:
                printed = self.printed(match, question)
                reactions[match] = cast(list[int], given), [*notes, *printed]
            else:
                replies, more = self.react(match, question, cast(list[Choice], given))
                reactions[match] = replies, [*notes, *more]
        return reactions

    def take_step(self, matches: list[int], construct: bool, select: bool) -> list[Choice | None]:
        """Take a step in some matches; return the replies by match and seat, None for lost ones."""
        if matches != self.planned:
            self.plan(matches)
        parts, messages = parts_of(construct, select), dict[bytes, bytes]()
        for _, process, numbers in self.to_ask:
            if numbers not in messages:
                rows = joined([self.steps[match][-1][2] for match in numbers])
                messages[numbers] = framed((construct, select, numbers, rows))
            process.ask(messages[numbers], parts, len(numbers))
        attend([hosted for hosted, _, _ in self.to_ask])
        choices = [*self.earlier]
        for hosted, process, numbers in self.to_ask:
            choices += process.answers
            if process.lost:
                choices += [None] * (len(numbers) - len(process.answers))
                hosted.end()
                self.planned = []
        return [choices[position] for position in self.positions]

    def plan(self, matches: list[int]) -> None:
        """Plan the steps of some matches: whom to ask, and the position of each seat's reply."""
        earlier = {
            (match, seat): choice
            for match in matches
            for seat, choice in enumerate(self.given.pop(match, ()))
            if choice is not None
        }
        self.planned = [] if earlier else matches
        self.earlier, self.to_ask = [None, *earlier.values()], []
        served = [*earlier]
        for hosted in self.hosted:
            seats = [at for at in hosted.seats if at[0] in matches and at not in earlier]
            if seats and hosted.process is not None:
                numbers = bytes([match for match, _ in seats])
                self.to_ask.append((hosted, hosted.process, numbers))
                served += seats
        positions = {at: number for number, at in enumerate(served, 1)}
        self.positions = [
            positions.get((match, seat), 0)
            for match in matches
            for seat in range(len(self.seats[match]))
        ]

    def react(self, match: int, question: JointAsk, choices: list[Choice]) -> Reaction:
        """Return the replies for the rules, and evidence.

        If all choices are legal, that is only the standard error of each bot that wrote some.
        """
        replies = replies_to(question, choices)
        if replies is choices:
            return replies, [*self.printed(match, question)]
        notes = [self.note(match, seat, question, choice) for seat, choice in enumerate(choices)]
        return replies, notes

    def printed(self, match: int, question: JointAsk) -> Iterator[Evidence]:
        """Yield what each bot wrote on standard error since the last note, up to ``STDERR_KEPT``.

        A process that serves a batch writes nothing of a bot there.
        """
        if match not in self.stderr:
            self.stderr[match] = Stderrs(dict(self.own_processes(match)))
        for seat in self.stderr[match].readable():
            hosted = self.seats[match][seat]
            if hosted.process is None or hosted.printed >= STDERR_KEPT:
                continue
            if stderr := hosted.process.new_stderr():
                hosted.printed += len(stderr)
                yield {"seat": seat, "ask": question.name, "stderr": stderr}

    def own_processes(self, match: int) -> Iterator[tuple[int, BotProcess]]:
        """Yield the seats of a match whose processes serve no other one, with these."""
        for seat, hosted in enumerate(self.seats[match]):
            if isinstance(hosted.process, BotProcess) and len(hosted.seats) == 1:
                yield seat, hosted.process

    def note(self, match: int, seat: int, question: JointAsk, choice: Choice) -> Evidence:
        """Return the evidence of a bot in a match until now."""
        hosted = self.seats[match][seat]
        note: Evidence = {"seat": seat, "ask": question.name}
        if isinstance(choice, Fault):
            if (match, seat) in self.failed:
                return note | {"ended_earlier": True}
            self.failed.add((match, seat))
        stderr = ""
        if hosted.process is not None:
            note |= hosted.process.evidence(len(hosted.seats))
            stderr = hosted.process.new_stderr()
        if isinstance(choice, Failure):
            stderr += choice.traceback
        return note | ({"stderr": stderr[-STDERR_TAIL:]} if stderr else {})

    # --- a match that leaves the batch ---

    def restart_lost(self, match: int, question: JointAsk) -> list[Evidence]:
        """Start a process for each bot of a match that has none, and tell the bot everything again.

        Where it answers otherwise than before, that is evidence.
        """
        notes: list[Evidence] = []
        for seat, lost in enumerate(self.seats[match]):
            if lost.process is None:
                hosted = HostedBot(lost.bot, [(match, seat)])
                self.hosted.append(hosted)
                self.seats[match][seat] = hosted
                self.stderr.pop(match, None)
                self.start([hosted])
                note: Evidence = {"seat": seat, "ask": question.name}
                note["resumed_after"] = len(self.steps[match]) - 1
                if differing := self.tell_again(match, seat, hosted):
                    note["answered_otherwise"] = differing
                notes.append(note)
        return notes

    def tell_again(self, match: int, seat: int, hosted: HostedBot) -> list[int]:
        """Take the earlier steps of a match again; return those with another answer than before."""
        differing = []
        assert hosted.process is not None
        for number, (step, following) in enumerate(pairwise(self.steps[match])):
            construct, select, row = step
            answers = self.untold[match].get(number, following[2])
            message = framed((construct, select, bytes([match]), row))
            hosted.process.ask(message, parts_of(construct, select), 1)
            attend([hosted])
            if select and plain(hosted.process.answers[0]) != plain(answers[seat]):
                differing.append(number)
        return differing


def row_of(choices: Sequence[int]) -> Row:
    """Return choices in the smaller form."""
    try:
        return bytes(choices)
    except ValueError:
        return [*choices]


def plain(choice: Choice) -> Choice:
    """Return a choice; of a fault, only what a log holds."""
    return Fault(choice.kind, during=choice.during) if isinstance(choice, Fault) else choice


def joined(rows: Sequence[Row]) -> Row:
    """Return the choices of several matches, one after the other."""
    try:
        return b"".join(rows)  # type: ignore[arg-type]
    except TypeError:
        return [*chain.from_iterable(rows)]


# --- replies -------------------------------------------------------------------------------------


def are_legal(question: JointAsk, choices: Sequence[object]) -> bool:
    """Return whether all choices are legal integers."""
    types = [*map(type, choices)]
    return types.count(int) == len(types) and legal_integers(question.legal).issuperset(choices)


def replies_to(question: JointAsk, choices: list[Choice]) -> Replies:
    """Return the replies for the rules: the choices themselves if all are legal."""
    if are_legal(question, choices):
        return cast(list[int], choices)
    if not (question.legal or any(isinstance(choice, Fault) for choice in choices)):
        return None
    replies = {seat: reply_of(choice, question) for seat, choice in enumerate(choices)}
    return {seat: reply for seat, reply in replies.items() if reply}


def reply_of(choice: Choice, question: JointAsk) -> Reply | None:
    """Return the reply for the rules; None for a bot that had nothing to answer."""
    if isinstance(choice, Fault):
        during = question.name if choice.during == "select" else choice.during
        return Fault(choice.kind, during=during)
    if not question.legal:
        return None
    if isinstance(choice, bytes) and choice.decode(errors="replace") in question.legal:
        return Fault("crash", during=question.name)  # the worker sends integers: a forgery
    return Answer({"output": choice if isinstance(choice, bytes) else str(choice).encode()})


# --- waiting -------------------------------------------------------------------------------------


def attend(bots: Sequence[HostedBot]) -> None:
    """Wait until every process has answered or failed."""
    system.attend([bot.process for bot in bots if isinstance(bot.process, BotProcess)])
