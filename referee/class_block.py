"""Class bots in step: a process for each bot, and one message for all matches of a block.

The processes wait with nothing of a bot in them and serve each block in a fork (see block_runner),
so that they can be kept for the next. Whatever they send that is not exactly what was waited for
ends the block: Apart is raised, and it is for single play to find out whose fault it was.
"""

from __future__ import annotations

import marshal
import os
import select
import signal
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path

from games.table import JointAsk
from referee import process, sandboxes
from referee.bots import Bot
from referee.class_copies import Apart
from referee.class_protocol import LOADING, START_LIMIT
from referee.class_sharing import is_shareable
from referee.match import MatchJob
from referee.process import PIPE_READS, STDERR_TAIL
from referee.protocol import Evidence, environment
from referee.sandbox import Sandbox
from schema import seal
from schema.raw import CAP

RUNNER = Path(__file__).with_name("block_runner.py")

MARSHALLED = 2
"""The version of that format, which every interpreter of Python 3 can read."""

Choices = list[int] | None
"""What was chosen in one match, by seat; None where nothing was asked."""


@contextmanager
def open_session(jobs: Sequence[MatchJob], place: Path) -> Iterator[Session]:
    """A block of ``jobs``, with the bots' files in ``place``. Raises Apart whenever it must end."""
    session = Session(jobs)
    try:
        session.begin(jobs, place)
        yield session
        session.part()
    finally:
        for player in session.players:
            player.end()


@dataclass
class Player:
    """One bot's process for a block, and in which matches it plays, at which seats."""

    bot: Bot
    matches: list[int] = field(default_factory=list)
    """By their places in the block."""
    seats: list[int] = field(default_factory=list)
    """Its own in each of them."""
    runner: Runner | None = None
    fork: int = 0
    """The process id of the fork that serves the block."""
    seconds: float = 0.0
    slowest: float = 0.0

    def begin(self, jobs: Sequence[MatchJob], place: Path) -> bytes:
        """Have the bot's files and a process where they belong; what that is told of the bot."""
        if jobs[0].isolation == "sandbox":
            sandbox, inside = sandboxes.take(self.bot, cold=True)
            self.runner = Runner(self.bot.command[0], sandbox, inside)
            return self.request(jobs, inside)
        home = place / self.bot.name
        self.bot.install(home)
        self.runner = waiting(self.bot.command[0])
        return self.request(jobs, str(home))

    def request(self, jobs: Sequence[MatchJob], home: str) -> bytes:
        """What the process is told of its bot."""
        asked = {
            "home": home,
            "file": self.bot.command[-1],
            "class": self.bot.class_name,
            "shared": is_shareable(self.bot),
            "environment": dict(environment("")),
            "seeds": [
                seal.bot_seed(jobs[match].seed, seat)
                for match, seat in zip(self.matches, self.seats, strict=True)
            ],
            "indices": self.seats,
            "seats": len(jobs[0].bots),
        }
        text = marshal.dumps(asked, MARSHALLED)
        return len(text).to_bytes(4, "little") + text

    def end(self) -> None:
        """End the process, and all that the bot left; nothing, if it has parted."""
        if self.fork and self.runner is not None and self.runner.sandbox is None:
            # The runner does not reap its fork: the number is nobody else's.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.fork, signal.SIGKILL)
        if self.runner is not None:
            self.runner.end()
            self.runner = None


class Session:
    """The bots of a block. Called with what the rules of all matches ask, it asks all bots."""

    def __init__(self, jobs: Sequence[MatchJob]) -> None:
        self.time_limit: float = jobs[0].settings["time_limit_s"]
        players: dict[str, Player] = {}
        places: list[list[tuple[Player, int]]] = []
        for match, job in enumerate(jobs):
            places.append([])
            for seat, bot in enumerate(job.bots):
                player = players.setdefault(bot.name, Player(bot))
                places[match].append((player, len(player.seats)))
                player.matches.append(match)
                player.seats.append(seat)
        self.players = list(players.values())
        first: dict[str, int] = {}
        """Where a player's choices begin when those of all players stand in a row."""
        for player in self.players:
            first[player.bot.name] = sum(len(one.seats) for one in self.players[: len(first)])
        self.rows = [
            itemgetter(*(first[player.bot.name] + nth for player, nth in row)) for row in places
        ]
        """What picks a match's choices out of that row."""

    def begin(self, jobs: Sequence[MatchJob], place: Path) -> None:
        """Have all files in place and all processes up, with nothing of a bot loaded."""
        requests = []
        for number, player in enumerate(self.players):
            requests.append(player.begin(jobs, place / str(number)))
        for player, told in zip(self.players, self.exchange(requests, 4, START_LIMIT), strict=True):
            player.fork = int.from_bytes(told, "little")
            assert player.runner is not None
            player.runner.attend(player.fork)
            player.seconds = player.slowest = 0.0

    def __call__(self, asked: Sequence[JointAsk]) -> list[Choices]:
        """What the bots reply, by match."""
        legal = asked[0].legal
        if [one.legal for one in asked] != [legal] * len(asked):
            raise Apart
        choices = [one.observation.choices for one in asked]
        if choices.count(None) == len(asked):
            self.step(b"l", self.time_limit * LOADING)
            self.step(b"c", self.time_limit)
            return self.chosen(self.step(b"s", self.time_limit), legal)
        if None in choices:
            raise Apart
        told = [bytes(row or ()) for row in choices]
        if legal:
            return self.chosen(self.step(b"t", self.time_limit, told), legal)
        self.step(b"o", self.time_limit, told)
        return [None] * len(asked)

    def step(self, letter: bytes, limit: float, told: Sequence[bytes] = ()) -> list[bytes]:
        """Let all bots come through a step in all their matches; what they chose in it."""
        messages = [letter] * len(self.players)
        if told:
            messages = [
                letter + b"".join(map(told.__getitem__, player.matches)) for player in self.players
            ]
        answers = self.exchange(messages, 1, limit, choosing=letter in b"st")
        if any(answer[:1] != letter for answer in answers):
            raise Apart
        return [answer[1:] for answer in answers]

    def exchange(
        self, messages: Sequence[bytes], size: int, limit: float, choosing: bool = False
    ) -> list[bytes]:
        """Send each player its message, and take answers of ``size``, within ``limit`` seconds."""
        answers = []
        begun = time.monotonic()
        for player, message in zip(self.players, messages, strict=True):
            assert player.runner is not None
            player.runner.write(message, begun + limit)
        for player in self.players:
            assert player.runner is not None
            due = size + choosing * len(player.seats)
            answers.append(player.runner.read(due, begun + limit))
            took = time.monotonic() - begun
            player.seconds += took
            player.slowest = max(player.slowest, took)
        return answers

    def chosen(self, answers: Sequence[bytes], legal: tuple[str, ...]) -> list[Choices]:
        """The choices of all matches, if all are legal."""
        choices = b"".join(answers)
        if choices.translate(None, bytes(map(int, legal))):
            raise Apart
        return [list(row(choices)) for row in self.rows]

    def part(self) -> None:
        """Let the bots go. Their processes have nothing of them, and wait for the next block."""
        self.step(b"b", START_LIMIT)
        for player in self.players:
            assert player.runner is not None
            if player.runner.sandbox is None:
                player.runner.keep()
                player.runner, player.fork = None, 0

    def evidence(self) -> list[list[Evidence]]:
        """By match, how each bot did: its share of the time that all its matches took together."""
        notes: list[list[Evidence]] = [[] for _ in self.rows]
        for player in self.players:
            assert player.runner is not None
            player.runner.take_all_errors()
            share = 1000 / len(player.seats)
            for match, seat in zip(player.matches, player.seats, strict=True):
                note: Evidence = {
                    "seat": seat,
                    "ask": "update",
                    "ms": round(player.seconds * share, 3),
                    "slowest_ms": round(player.slowest * share, 3),
                    "in_step": len(player.seats),
                }
                if player.runner.stderr:
                    note["stderr"] = player.runner.stderr.decode(errors="replace")
                notes[match].append(note)
        return [sorted(match, key=itemgetter("seat")) for match in notes]


# --- processes -----------------------------------------------------------------------------------


class Runner:
    """A process that serves blocks, and its pipes. Raises Apart when it cannot be started.

    In a sandbox, with the bot's folder ``home``, it is a bot's own, and serves one block.
    """

    def __init__(self, interpreter: str, sandbox: Sandbox | None = None, home: str = "/") -> None:
        self.interpreter = interpreter
        self.sandbox = sandbox
        self.stderr = b""
        self.ends = -1
        self.over = False
        variables = dict(environment(""))
        del variables["KOTH_BOT_SEED"]
        try:
            if sandbox is None:
                self.process = process.attached([interpreter, str(RUNNER)], home, variables)
            else:
                command = [interpreter, f"{sandbox.folder}/{RUNNER.name}", "once"]
                self.process = sandbox.attached(home, "", command)
        except (OSError, ValueError) as error:
            if sandbox is not None:
                sandboxes.give_back(sandbox)
            raise Apart from error
        self.messages, self.answers = self.process.messages, self.process.lines
        self.errors = self.process.errors
        self.poll = select.poll()
        self.poll.register(self.answers, select.POLLIN)
        self.poll.register(self.errors, select.POLLIN)

    def end(self) -> None:
        """End it, with all that it started."""
        self.leave()
        self.process.end()
        if self.sandbox is not None:
            sandboxes.give_back(self.sandbox)

    def write(self, message: bytes, deadline: float) -> None:
        """Send ``message``. Raises Apart when it is not taken in time."""
        while message:
            try:
                message = message[os.write(self.messages, message) :]
            except BlockingIOError:
                if self.over:
                    raise Apart from None
                self.wait(0.001, deadline)
            except BrokenPipeError as error:
                raise Apart from error

    def read(self, size: int, deadline: float) -> bytes:
        """The next ``size`` bytes. Raises Apart when they do not come in time, or more do."""
        data = b""
        while len(data) < size:
            try:
                more = os.read(self.answers, CAP)
            except BlockingIOError:
                if self.over:
                    raise Apart from None
                self.wait(deadline - time.monotonic(), deadline)
                continue
            if not more:
                raise Apart
            data += more
        if len(data) > size:
            raise Apart
        return data

    def wait(self, seconds: float, deadline: float) -> None:
        """Wait for an answer, or so long; what comes in on standard error is taken meanwhile."""
        if time.monotonic() >= deadline:
            raise Apart
        found = {number for number, _ in self.poll.poll(seconds * 1000)}
        if self.errors in found:
            self.take_errors()
        self.over = self.ends in found

    def take_errors(self) -> None:
        """Read once from standard error, of which the tail is kept."""
        with suppress(BlockingIOError):
            self.stderr = (self.stderr + os.read(self.errors, CAP))[-STDERR_TAIL:]

    def take_all_errors(self) -> None:
        """Read all that there is on standard error."""
        for _ in range(PIPE_READS):
            self.take_errors()

    def attend(self, fork: int) -> None:
        """Notice the end of what serves the block: this process in a sandbox, else its ``fork``."""
        try:
            self.ends = os.dup(self.process.exited) if self.sandbox else os.pidfd_open(fork)
        except OSError as error:
            raise Apart from error
        self.poll.register(self.ends, select.POLLIN)

    def leave(self) -> None:
        """The block is over."""
        if self.ends >= 0:
            self.poll.unregister(self.ends)
            os.close(self.ends)
            self.ends = -1
        self.over = False

    def keep(self) -> None:
        """Let it wait for the next block."""
        self.take_all_errors()
        self.stderr = b""
        self.leave()
        _kept[self.interpreter].append(self)


_kept: dict[str, list[Runner]] = defaultdict(list)
"""Processes that wait for a block, by interpreter. They end when this process does."""


def waiting(interpreter: str) -> Runner:
    """A process that waits for a block."""
    return _kept[interpreter].pop() if _kept[interpreter] else Runner(interpreter)


def close() -> None:
    """End all processes that wait for a block."""
    for runners in _kept.values():
        while runners:
            runners.pop().end()
