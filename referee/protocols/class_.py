"""The *class* protocol: Python classes, in one match or in many in step (SU-8 to SU-10).

All bots are told and asked at the same time. A bot of which it is proven that its matches share
nothing (:mod:`referee.self_contained.proof`) has one process for all of them; every other one has a
process for each match. An answer stands once it is given: where a shared process cannot go on, each
of its matches does so in a process of its own, whose bot is told all again, and what it answered
before counts. Nothing of that depends on what a bot does in another match.
"""

from __future__ import annotations

import select
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from operator import itemgetter
from typing import Any, cast

from games.table import Answer, Fault, JointAsk, Replies, Reply
from referee.bot import Bot
from referee.processes.process import STDERR_TAIL
from referee.processes.processor_time import FIRST_READING
from referee.protocols.base import Evidence, Seating, Session
from referee.protocols.class_process import BotProcess, Choice, framed
from referee.self_contained.proof import shares_nothing
from schema import seal

LOADING = 10
"""How many times longer than a call it may take to load a bot's file, imports included (SU-9)."""


@contextmanager
def open_session(seating: Seating) -> Iterator[Session]:
    """A match of class bots: all processes are up when it begins, and gone when it ends."""
    with open_table([seating]) as table:

        def answer(asked: JointAsk) -> tuple[Replies, list[Evidence]]:
            return table({0: asked})[0]

        yield answer


@contextmanager
def open_table(seatings: Sequence[Seating]) -> Iterator[Table]:
    """Matches in step."""
    table = Table(seatings)
    try:
        table.start(table.players)
        yield table
    finally:
        table.end()


@cache
def integers(legal: tuple[str, ...]) -> frozenset[object]:
    """The legal choices."""
    return frozenset(map(int, legal))


@dataclass(eq=False)
class BotProcessSeats:
    """A process, and the seats that its bot has in matches."""

    bot: Bot
    matches: list[int] = field(default_factory=list)
    """In ascending order."""
    seats: list[int] = field(default_factory=list)
    """Its seat in each of them."""
    process: BotProcess | None = None
    """None before it is started, after its end, and where it could not go on."""
    served: list[int] | None = None
    """The matches of the last step, where these are not all."""


Row = bytes | list[int]
"""What everybody chose in a match: bytes, where that will do."""


@dataclass
class Parted:
    """A match that has left the others, with what its bots have replied to the last question."""

    ask: JointAsk
    given: dict[int, Choice]
    """By seat."""


Reaction = tuple[Replies, list[Evidence]]


class Table:
    """Matches in step. Called with what the rules of some of them ask, it asks their bots."""

    def __init__(self, seatings: Sequence[Seating]) -> None:
        self.seatings = seatings
        self.time_limit = seatings[0].time_limit
        self.players: list[BotProcessSeats] = []
        self.seats: list[list[BotProcessSeats]] = []
        """By match and seat."""
        self.told: list[list[Row]] = [[] for _ in seatings]
        """By match what its bots were told, step by step; before the first one nothing."""
        self.silent: set[tuple[int, int]] = set()
        """Matches and their steps in which nothing is chosen."""
        self.parted: dict[int, Parted] = {}
        """Matches that wait for :meth:`rejoin`."""
        self.order: tuple[Sequence[int], list[itemgetter[Any]]] = ((), [])
        shared: dict[str, BotProcessSeats] = {}
        for match, seating in enumerate(seatings):
            self.seats.append([])
            for seat, bot in enumerate(seating.bots):
                player = BotProcessSeats(bot)
                if len(seatings) > 1 and shares_nothing(bot):
                    player = shared.setdefault(bot.name, player)
                if not player.matches:
                    self.players.append(player)
                self.seats[match].append(player)
                player.matches.append(match)
                player.seats.append(seat)

    # --- processes ---

    def start(self, players: Sequence[BotProcessSeats]) -> None:
        """Have processes up, with nothing of a bot loaded. Raises RefereeError."""
        for player in players:
            seats = []
            for match, seat in zip(player.matches, player.seats, strict=True):
                seating = self.seatings[match]
                seats.append((seat, seal.bot_seed(seating.seed, seat), len(seating.bots)))
            isolation = self.seatings[0].isolation
            player.process = BotProcess(player.bot, seats, isolation, self.time_limit)
        attend([player.process for player in players if player.process])
        for player in players:
            if player.process is not None:
                player.process.begin()

    def end(self) -> None:
        """End all processes."""
        for player in self.players:
            self.end_process(player)

    def end_process(self, player: BotProcessSeats) -> None:
        """End the process of a player, if it has one."""
        if player.process is not None:
            player.process.end()
            player.process = None

    def over(self, match: int) -> None:
        """A match is over: end the processes that play nothing else."""
        for player in self.seats[match]:
            if len(player.matches) == 1:
                self.end_process(player)

    # --- a step ---

    def __call__(self, asked: Mapping[int, JointAsk]) -> dict[int, Reaction]:
        """What the bots of these matches reply, all of which are asked in the same way.

        A match that is missing has parted: one of its bots has lost its process.
        """
        first = next(iter(asked.values()))
        construct, select = first.observation.choices is None, bool(first.legal)
        rows = {}
        for match, ask in asked.items():
            rows[match] = row = row_of(ask.observation.choices or ())
            self.told[match].append(row)
            if not select:
                self.silent.add((match, len(self.told[match]) - 1))
        busy = self.ask(rows, construct, select)
        attend([process for _, process, _ in busy])
        if select and not any(process.special or process.lost for _, process, _ in busy):
            flat = [choice for _, process, _ in busy for choice in process.answers]
            whole = len(flat) == sum(len(self.seats[match]) for match in asked)
            if whole and integers(first.legal).issuperset(flat):
                return self.in_order(busy, [*asked], flat)
        given: dict[int, dict[int, Choice]] = {match: {} for match in asked}
        for player, process, playing in busy:
            for match, choice in zip(playing, process.answers, strict=False):
                given[match][player.seats[player.matches.index(match)]] = choice
        for player, process, _ in busy:
            if process.lost:
                self.end_process(player)
        reactions = {}
        for match, ask in asked.items():
            if len(given[match]) < len(self.seats[match]):
                self.parted[match] = Parted(ask.copy(), given[match])
            else:
                reactions[match] = self.reaction(match, ask, given[match])
        return reactions

    def ask(
        self, rows: Mapping[int, Row], construct: bool, select: bool
    ) -> list[tuple[BotProcessSeats, BotProcess, Sequence[int]]]:
        """Send out what is asked; who is busy now, and in which matches."""
        steps = steps_of(construct, select)
        limit = self.time_limit * (LOADING if construct else 1)
        whole = len(rows) == len(self.seatings)
        busy: list[tuple[BotProcessSeats, BotProcess, Sequence[int]]] = []
        for player in self.players:
            places, playing = None, player.matches
            if not whole or player.served is not None:
                playing = [match for match in player.matches if match in rows]
                if playing and playing != player.served:
                    places = [player.matches.index(match) for match in playing]
                    player.served = playing
            if playing and player.process is not None:
                told = [rows[match] for match in playing]
                message = framed((construct, select, places, joined(told)))
                player.process.ask(message, steps, len(playing), limit)
                busy.append((player, player.process, playing))
        return busy

    def in_order(
        self,
        busy: Sequence[tuple[BotProcessSeats, BotProcess, Sequence[int]]],
        matches: list[int],
        flat: Sequence[Choice],
    ) -> dict[int, Reaction]:
        """Legal choices, by match."""
        if self.order[0] != matches:
            where: dict[tuple[int, BotProcessSeats], int] = {}
            for player, _, playing in busy:
                for match in playing:
                    where[match, player] = len(where)
            picks = [[where[match, player] for player in self.seats[match]] for match in matches]
            self.order = matches, [itemgetter(*pick, pick[0]) for pick in picks]
        reactions: dict[int, Reaction] = {}
        for match, pick in zip(matches, self.order[1], strict=True):
            choices = [*pick(flat)]
            choices.pop()  # which is there because of what itemgetter does with one
            reactions[match] = choices, []
        return reactions

    def reaction(self, match: int, ask: JointAsk, given: Mapping[int, Choice]) -> Reaction:
        """What the rules of a match get, and evidence where that is more than legal choices."""
        choices = [unforged(given[seat], ask) for seat in range(len(self.seats[match]))]
        failed = any(isinstance(choice, Fault) for choice in choices)
        if ask.legal and not failed and integers(ask.legal).issuperset(choices):
            return cast(list[int], choices), []
        notes = [self.note(match, seat, ask.name, choice) for seat, choice in enumerate(choices)]
        if not (ask.legal or failed):
            return None, notes
        replies = {seat: reply_of(choice, ask) for seat, choice in enumerate(choices)}
        return {seat: reply for seat, reply in replies.items() if reply}, notes

    def note(self, match: int, seat: int, asked: str, choice: Choice) -> Evidence:
        """How a bot did until now: time over all steps, and the slowest of them, in milliseconds.

        Of a process that serves several matches it is a match's share.
        """
        player = self.seats[match][seat]
        note: Evidence = {"seat": seat, "ask": asked}
        process, traceback = player.process, getattr(choice, "traceback", "")
        if process is not None:
            note |= process.evidence(len(player.matches))
        stderr = ("" if process is None else process.errors_so_far()) + traceback
        return note | ({"stderr": stderr[-STDERR_TAIL:]} if stderr else {})

    # --- a match that goes on by itself ---

    def rejoin(self, match: int) -> Reaction:
        """Go on with a match that has parted. What its bots have answered stands.

        A bot that has lost its process is made anew in one of its own. It is told all again, and
        asked again what it has been asked; if it says something else, that is evidence.
        """
        parted = self.parted.pop(match)
        notes: list[Evidence] = []
        for seat, lost in enumerate(self.seats[match]):
            if lost.process is None:
                player = BotProcessSeats(lost.bot, [match], [seat])
                self.players.append(player)
                self.seats[match][seat] = player
                self.start([player])
                notes.append(self.repeat(match, seat, player, parted))
        replies, more = self.reaction(match, parted.ask, parted.given)
        return replies, [*notes, *more]

    def repeat(self, match: int, seat: int, player: BotProcessSeats, parted: Parted) -> Evidence:
        """Tell a bot all again; add its reply to the last question if there is none. A note."""
        assert player.process is not None
        told, differing = self.told[match], []
        for number, row in enumerate(told):
            select, construct = (match, number) not in self.silent, not number
            steps = steps_of(construct, select)
            limit = self.time_limit * (LOADING if construct else 1)
            message = framed((construct, select, None, row))
            player.process.ask(message, steps, 1, limit)
            attend([player.process])
            [choice] = player.process.answers
            if number + 1 < len(told):
                before: Choice = told[number + 1][seat]
            else:
                before = parted.given.setdefault(seat, in_step(choice, steps))
            if select and choice != before:
                differing.append(number)
        note: Evidence = {"seat": seat, "ask": parted.ask.name, "resumed_after": len(told) - 1}
        return note | ({"answered_otherwise": differing} if differing else {})


def steps_of(construct: bool, select: bool) -> list[str]:
    """What a bot comes through when it is asked (SU-9)."""
    steps = ["load", "construct"] if construct else ["update"]
    return [*steps, "select"] if select else steps


def row_of(choices: Sequence[int]) -> Row:
    """What everybody chose, as it is kept and sent."""
    try:
        return bytes(choices)
    except ValueError:
        return [*choices]


def joined(rows: Sequence[Row]) -> Row:
    """Several of these, one behind the other."""
    try:
        return b"".join(cast(list[bytes], rows))
    except TypeError:
        return [choice for row in rows for choice in row]


def in_step(choice: Choice, steps: Sequence[str]) -> Choice:
    """A reply; a failure in what a bot had come through before counts in the first of ``steps``."""
    if isinstance(choice, Fault) and choice.during not in steps:
        return replace(choice, during="construct" if "construct" in steps else steps[0])
    return choice


def unforged(choice: Choice, ask: JointAsk) -> Choice:
    """A reply; the text of a legal choice was written by the bot itself, not by its worker."""
    if isinstance(choice, bytes) and choice.decode(errors="replace") in ask.legal:
        return Fault("crash", during="select")
    return choice


def reply_of(choice: Choice, ask: JointAsk) -> Reply | None:
    """What the rules get; None of a bot that was only told something."""
    if isinstance(choice, Fault):
        return Fault(choice.kind, during=choice.during)
    if not ask.legal:
        return None
    return Answer({"output": choice if isinstance(choice, bytes) else str(choice).encode()})


# --- waiting -------------------------------------------------------------------------------------


def attend(processes: Sequence[BotProcess]) -> None:
    """Wait until every bot has come through what it was asked, or has failed."""
    end = time.monotonic() + FIRST_READING
    for process in processes:
        while process.waiting and process.hear_soon(end):
            pass
    if any(process.waiting for process in processes):
        attend_slowly(processes)


def attend_slowly(processes: Sequence[BotProcess]) -> None:
    """The same where a bot takes its time: who has answered is stopped until all have."""
    poll = select.poll()
    owners: dict[int, BotProcess] = {}
    pending = [process for process in processes if process.waiting]
    for process in pending:
        for descriptor in process.descriptors:
            owners[descriptor] = process
            poll.register(descriptor, select.POLLIN)
    for process in processes:
        if not process.waiting:
            process.stop()
    while pending:
        patience = {id(process): process.patience() for process in pending}
        for descriptor, _ in poll.poll(min(patience.values()) * 1000):
            process = owners[descriptor]
            if descriptor == process.errors:
                if not process.take_errors():
                    poll.unregister(descriptor)
            elif process.waiting:
                process.read_messages(ended=descriptor == process.exited)
        for process in pending:
            if process.waiting and patience[id(process)] == 0:
                process.fail("timeout")
            if not process.waiting:
                for descriptor in process.descriptors:
                    with suppress(KeyError):
                        poll.unregister(descriptor)
        answered = [process for process in pending if not process.waiting]
        pending = [process for process in pending if process.waiting]
        if pending:
            for process in answered:
                process.stop()
